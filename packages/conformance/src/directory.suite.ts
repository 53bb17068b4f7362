import { badArguments } from './directory/bad-arguments.ts'
import { changing } from './directory/changing.ts'
import type { Check, DirectoryHost } from './directory/check.ts'
import { claiming } from './directory/claiming.ts'
import { keys } from './directory/keys.ts'
import { listing } from './directory/listing.ts'
import { pending } from './directory/pending.ts'
import { putting } from './directory/putting.ts'
import { resolving } from './directory/resolving.ts'
import { respelling } from './directory/respelling.ts'

export type { DirectoryHost } from './directory/check.ts'

/** A test runner's functions (vitest, node:test, mocha and jest fit), and what is to be tested. */
export interface DirectorySuite {
  test(name: string, body: () => Promise<void>): unknown
  describe(name: string, body: () => void): unknown
  /** Each test opens its own host and closes it. */
  open(): Promise<DirectoryHost>
}

/** What every `Directory` must do. */
export function directorySuite({ test, describe, open }: DirectorySuite): void {
  const check: Check = (name, body) =>
    test(name, async () => {
      const host = await open()
      try {
        await body(host.directory(), host)
      } finally {
        await host.close()
      }
    })
  describe('resolving', () => resolving(check))
  describe('claiming', () => claiming(check))
  describe('pending claims', () => pending(check))
  describe('releasing and moving', () => changing(check))
  describe('putting', () => putting(check))
  describe('listing', () => listing(check))
  describe('keys', () => keys(check))
  describe('changing the normaliser', () => respelling(check))
  describe('bad arguments', () => badArguments(check))
}
