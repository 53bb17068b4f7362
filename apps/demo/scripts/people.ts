import { cultures, domains, otherScripts, templates, words } from './words.ts'

interface Person {
  readonly email: string
  readonly name: string
  readonly phrases: readonly string[]
}

/** How many good rows there are for each new person. */
const ROWS_PER_PERSON = 3.8

/** Rows that an importer must skip, each with the share of the file after which it stands. */
export const malformed: readonly (readonly [after: number, text: string])[] = [
  [0.02, 'grace.walker.example.com,Grace Walker,My address lacks its @.'],
  [0.11, 'noah.clarke@example.com,Noah Clarke'],
  [0.23, 'ines.ortega@example.org,Inés Ortega,"   "'],
  [0.34, ',Nobody,Who wrote this?'],
  [0.48, 'henry.ward@example.net,Henry "Hal" Ward,His nickname is not quoted as CSV wants it.'],
  [0.57, 'lan.vo@example.com,Lan Võ,Bread, milk and eggs'],
  [0.71, 'zuri mensah@example.com,Zuri Mensah,There is a space in my address.'],
  [0.83, 'emre.koc@example.net,,I would rather not give a name.'],
  [0.94, 'freja@,Freja Dahl,The address ends too early.'],
]

/** What the file in the repository was made from. */
export const sample: { readonly seed: number; readonly rows: number } = { seed: 20_240_117, rows: 10_000 }

/** The sample file: the same seed and count always give the same text. */
export function peopleCsv(seed: number, count: number): string {
  const random = randomFrom(seed)
  const people: Person[] = []
  const taken = new Set<string>()
  const lines = ['email,name,message']
  const pending = [...malformed]
  for (let row = 0; row < count; row++) {
    const next = pending[0]
    if (next && row / count >= next[0]) {
      lines.push(next[1])
      pending.shift()
      continue
    }
    if (people.length === 0 || random() < 1 / ROWS_PER_PERSON) people.push(newPerson(random, taken))
    const { email, name, phrases } = person(random, people)
    const spelled = random() < 0.03 ? email.toUpperCase() : email
    lines.push([spelled, name, message(random, phrases)].map(quoted).join(','))
  }
  return `${lines.join('\n')}\n`
}

/** The newest person most often: people write several times soon after they come. */
function person(random: () => number, people: readonly Person[]): Person {
  const back = Math.floor(random() ** 3 * people.length)
  return people[people.length - 1 - back] as Person
}

function newPerson(random: () => number, taken: Set<string>): Person {
  const { name, local, phrases } = newName(random)
  for (let n = 1; ; n++) {
    const email = `${local}${n === 1 ? '' : n}@${pick(random, domains)}`
    if (taken.has(email)) continue
    taken.add(email)
    return { email, name, phrases }
  }
}

function newName(random: () => number): { name: string; local: string; phrases: readonly string[] } {
  if (random() < 0.06) {
    const [name, local, phrase] = pick(random, otherScripts)
    return { name, local, phrases: [phrase] }
  }
  const { first, family, phrases } = pick(random, cultures)
  const names = [pick(random, first), pick(random, family)]
  return {
    name: names.join(' '),
    local: names.map(plain).join(pick(random, ['.', '.', '_', '-', ''])),
    phrases,
  }
}

const special: Readonly<Record<string, string>> = {
  ß: 'ss',
  ø: 'o',
  æ: 'ae',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  þ: 'th',
}

function plain(name: string): string {
  return name
    .toLowerCase()
    .normalize('NFD')
    .replace(/[ßøæłđıþ]/g, (letter) => special[letter] ?? '')
    .replace(/[^a-z]/g, '')
}

function message(random: () => number, phrases: readonly string[]): string {
  const template = phrases.length > 0 && random() < 0.3 ? pick(random, phrases) : pick(random, templates)
  return template.replace(/\{(\w+)\}/g, (_, word: string) => {
    if (word === 'number') return String(100 + Math.floor(random() * 9_900))
    if (word === 'amount') return `${(random() * 900 + 10).toFixed(2)} EUR`
    if (word === 'friend') return pick(random, pick(random, cultures).first)
    return pick(random, words[word] ?? [])
  })
}

function quoted(field: string): string {
  return /[",\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field
}

function pick<T>(random: () => number, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)] as T
}

/** mulberry32, a small generator of numbers in [0, 1) that a seed determines. Public domain, by T. Ettinger. */
function randomFrom(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
