import { describe, expect, test } from 'vitest'
import { firstWay, type Way } from './ways.ts'

function way(name: Way['name'], blocker: string | null, start?: () => Promise<Record<string, string>>): Way {
  return { name, blocker: () => blocker, start: start ?? (async () => ({ URL: name })) }
}

const breaks = async () => {
  throw new Error('no disk')
}

describe('firstWay', () => {
  test('takes the first way that is open', async () => {
    const found = await firstWay([way('local', 'it is not installed'), way('apt', null), way('docker', null)])
    expect(found).toEqual({ addresses: { URL: 'apt' }, way: 'apt', failed: [] })
  })

  test('goes on when a way fails to start, and says so', async () => {
    const found = await firstWay([way('local', null, breaks), way('docker', null)])
    expect(found).toEqual({
      addresses: { URL: 'docker' },
      way: 'docker',
      failed: ['local: did not start, no disk'],
    })
  })

  test('tries only the way that is forced', async () => {
    const ways = [way('local', null), way('docker', 'it is not running')]
    expect(await firstWay(ways, 'docker')).toEqual({ why: 'docker: it is not running' })
    expect(await firstWay(ways, 'magic')).toEqual({ why: 'there is no way named magic' })
  })

  test('says of every way why it is closed', async () => {
    const found = await firstWay([way('local', null, breaks), way('apt', 'only root may install it')])
    expect(found).toEqual({ why: 'apt: only root may install it\nlocal: did not start, no disk' })
  })
})
