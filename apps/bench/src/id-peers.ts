import { SnowflakeId } from '@akashrajpurohit/snowflake-id'
import { Snowflake as Sapphire } from '@sapphire/snowflake'
import { Snowflake as NodejsSnowflake } from 'nodejs-snowflake'
import { Snowyflake } from 'snowyflake'
import { getTsid } from 'tsid-ts'
import { monotonicFactory } from 'ulid'
import { v7 } from 'uuid'

/** A way to make ids; its loop is its own, so that the engine tunes each by itself, as in an app that has one. */
export interface IdMaker {
  readonly name: string
  next(): unknown
  /** Makes many and gives the last, so that none can be left out. */
  loop(count: number): unknown
}

/** 2024-01-01T00:00:00Z */
const EPOCH_MS = 1_704_067_200_000

/** Public libraries, set up as their own documentation says. */
export function idPeers(): readonly IdMaker[] {
  return [sapphire(), nodejsSnowflake(), snowyflake(), tsid(), akashrajpurohit(), monotonicUlid(), uuidV7()]
}

function sapphire(): IdMaker {
  const maker = new Sapphire(EPOCH_MS)
  return {
    name: '@sapphire/snowflake',
    next: () => maker.generate(),
    loop(count) {
      let last: unknown
      for (let i = 0; i < count; i++) last = maker.generate()
      return last
    },
  }
}

function nodejsSnowflake(): IdMaker {
  const maker = new NodejsSnowflake({ custom_epoch: EPOCH_MS, instance_id: 1 })
  return {
    name: 'nodejs-snowflake',
    next: () => maker.getUniqueID(),
    loop(count) {
      let last: unknown
      for (let i = 0; i < count; i++) last = maker.getUniqueID()
      return last
    },
  }
}

function snowyflake(): IdMaker {
  const maker = new Snowyflake({ workerId: 1n, epoch: BigInt(EPOCH_MS) })
  return {
    name: 'snowyflake',
    next: () => maker.nextId(),
    loop(count) {
      let last: unknown
      for (let i = 0; i < count; i++) last = maker.nextId()
      return last
    },
  }
}

function tsid(): IdMaker {
  return {
    name: 'tsid-ts',
    next: () => getTsid().toBigInt(),
    loop(count) {
      let last: unknown
      for (let i = 0; i < count; i++) last = getTsid().toBigInt()
      return last
    },
  }
}

function akashrajpurohit(): IdMaker {
  const maker = SnowflakeId({ workerId: 1, epoch: EPOCH_MS })
  return {
    name: '@akashrajpurohit/snowflake-id',
    next: () => maker.generate(),
    loop(count) {
      let last: unknown
      for (let i = 0; i < count; i++) last = maker.generate()
      return last
    },
  }
}

function monotonicUlid(): IdMaker {
  const next = monotonicFactory()
  return {
    name: 'ulid, monotonic',
    next: () => next(),
    loop(count) {
      let last: unknown
      for (let i = 0; i < count; i++) last = next()
      return last
    },
  }
}

function uuidV7(): IdMaker {
  return {
    name: 'uuid v7',
    next: () => v7(),
    loop(count) {
      let last: unknown
      for (let i = 0; i < count; i++) last = v7()
      return last
    },
  }
}
