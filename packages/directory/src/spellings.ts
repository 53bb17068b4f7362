import { checkInteger, InvalidArgumentError } from '@shard/core'
import { checkKey, type Normaliser } from './natural-key.ts'

/** A normaliser and its number. Rows store the number, so one that was used is never given to another. */
export interface NormaliserVersion {
  /** 1 to 32,767. */
  readonly version: number
  readonly fold: Normaliser
}

/** One spelling of a key, and the newest live normaliser that makes it. */
export interface Spelling {
  readonly key: string
  readonly normaliser: number
  /**
   * True if only normalisers make it that are newer than the primary one. It keeps others from claiming what will
   * be one key, and says nothing of whose the key is: a process that does not know it yet could say otherwise.
   */
  readonly isLock: boolean
}

/** What the live normalisers make of keys. */
export interface Spellings {
  /** The first live normaliser: the one that keys are to be spelled by. */
  readonly primary: NormaliserVersion
  /** True while there is only one. */
  readonly isSingle: boolean
  /** The only spelling, where there is one normaliser. */
  primaryOf(text: string): string
  /** Each different spelling of a key: what a claim writes. */
  all(text: string): readonly Spelling[]
  /**
   * The same without locks, that of the oldest version first: where they have different owners, it is the oldest
   * that counts, so that no key changes hands while its version is live.
   */
  of(text: string): readonly Spelling[]
  /** The normaliser of a version, or null if it is not live. */
  versioned(version: number): NormaliserVersion | null
}

/**
 * The live normalisers: one, or several while a directory goes from one to the next; the first is primary.
 * @throws InvalidArgumentError for none, for what is no normaliser, and for a number out of range or given twice
 */
export function spellingsBy(normaliser: Normaliser | readonly NormaliserVersion[]): Spellings {
  const live = typeof normaliser === 'function' ? [{ version: 1, fold: normaliser }] : check(normaliser)
  const [primary] = live as [NormaliserVersion, ...NormaliserVersion[]]
  const oldestFirst = live.toSorted((a, b) => a.version - b.version)
  const spell = (text: string): Spelling[] => {
    const spelled = new Map<string, Spelling>()
    for (const { version, fold } of oldestFirst) {
      const key = checkKey(fold(text))
      const isLock = spelled.get(key)?.isLock ?? version > primary.version
      spelled.set(key, { key, normaliser: version, isLock })
    }
    return [...spelled.values()]
  }
  return {
    primary,
    isSingle: live.length === 1,
    primaryOf: (text) => checkKey(primary.fold(text)),
    all: spell,
    of: (text) => spell(text).filter(({ isLock }) => !isLock),
    versioned: (version) => live.find((one) => one.version === version) ?? null,
  }
}

/** The texts of some spellings. */
export function textsOf(spelled: readonly Spelling[]): string[] {
  return spelled.map(({ key }) => key)
}

function check(live: readonly NormaliserVersion[]): readonly NormaliserVersion[] {
  if (!Array.isArray(live) || live.length === 0)
    throw new InvalidArgumentError('a normaliser must be a function, or a list of numbered ones')
  for (const one of live) {
    checkInteger('the version of a normaliser', one?.version, 1, 32_767)
    if (typeof one.fold !== 'function') throw new InvalidArgumentError('a normaliser must be a function')
  }
  if (new Set(live.map(({ version }) => version)).size < live.length)
    throw new InvalidArgumentError('two normalisers must not have one version')
  return [...live]
}
