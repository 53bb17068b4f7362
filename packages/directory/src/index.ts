export { type CacheOptions, cachedDirectory } from './cached-directory.ts'
export { type ClaimFates, memoryFates } from './claim-fates.ts'
export type {
  Claim,
  ClaimOptions,
  Directory,
  DirectoryCall,
  Entry,
  EntryState,
  Fate,
  ListOptions,
  PutOptions,
  ResolveOptions,
  RespellOptions,
} from './directory.ts'
export type { DirectoryOptions } from './directory-over.ts'
export { claimFates, type FateOptions, useClaim } from './fates-sql.ts'
export { type HashedKeysOptions, hashedKeys } from './hashed-keys.ts'
export { type MemoryDirectoryOptions, memoryDirectory } from './memory.ts'
export type { MemoryEntries } from './memory-store.ts'
export { checkKey, emailKey, exactKey, MAX_KEY_BYTES, type Normaliser, usernameKey } from './natural-key.ts'
export { type RemoveKeyOptions, removeKey } from './remove-key.ts'
export { type RenormaliseOptions, type RenormaliseReport, renormalise } from './renormalise.ts'
export type { Collision, Respelling } from './respelling.ts'
export { type SignUpOptions, type SignUpStep, signUp } from './sign-up.ts'
export type { NormaliserVersion } from './spellings.ts'
export {
  type Existence,
  type Finding,
  type KeyedRow,
  type SweepOptions,
  type SweepReport,
  sweep,
} from './sweep.ts'
