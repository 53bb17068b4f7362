export type {
  Claim,
  ClaimOptions,
  Directory,
  DirectoryCall,
  Entry,
  EntryState,
  ListOptions,
  PutOptions,
} from './directory.ts'
export type { DirectoryOptions } from './directory-over.ts'
export { type MemoryDirectoryOptions, type MemoryEntries, memoryDirectory } from './memory.ts'
export { checkKey, emailKey, exactKey, MAX_KEY_BYTES, type Normaliser, usernameKey } from './natural-key.ts'
