import { expect, test } from 'vitest'
import { playMany } from './block-schedules.ts'

// One half of the schedules: files run side by side. \`SHARD_SCHEDULES=10000\` plays all of them, however long.
test('three allocators under every fault of a store give no id twice, and never stop', {
  timeout: 3_600_000,
}, async () => {
  expect(await playMany()).toBeGreaterThanOrEqual(300)
})
