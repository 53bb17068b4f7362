import { type ChildProcess, fork } from 'node:child_process'
import type { Fleet } from './fleet.ts'
import { type ImportCounts, importRows } from './import-rows.ts'
import { openFleet } from './open-fleet.ts'
import type { Options, Share } from './options.ts'
import type { Progress } from './progress.ts'
import type { CsvFile } from './read-rows.ts'
import { Refusal } from './refusal.ts'

/** What a process says to the one that started it. */
type Message = { readonly note: string } | { readonly fraction: number } | { readonly counts: ImportCounts }

/**
 * Imports the file of the command line in several processes at once, each with the rows of its own addresses and a
 * worker number of its own. If one fails, the others go on: what it leaves undone the next run does.
 * @throws Refusal if one failed, after it has said why
 */
export async function importTogether(fleet: Fleet, count: number, progress: Progress): Promise<ImportCounts> {
  await fleet.stillAlone()
  const fractions = new Array<number>(count).fill(0)
  const sum: ImportCounts = { rows: 0, skipped: 0, newAccounts: 0, newMessages: 0, waiting: 0 }
  const hear = (index: number, message: Message): void => {
    if ('note' in message) progress.note(message.note)
    else if ('counts' in message) add(sum, message.counts)
    else {
      fractions[index] = message.fraction
      progress.update(fractions.reduce((a, b) => a + b, 0) / count, `${count} processes`)
    }
  }
  const codes = await Promise.all(fractions.map((_, index) => endOf(start({ index, count }), index, hear)))
  const failed = codes.filter((code) => code !== 0).length
  if (failed > 0) throw new Refusal(`${failed} of ${count} processes failed. Run this again: it goes on.`, 1)
  return sum
}

/** The work of one of them. */
export async function importShare({ fleet, batchRows }: Options, share: Share, file: CsvFile): Promise<void> {
  const say = (message: Message): void => void process.send?.(message)
  const progress: Progress = {
    update: (fraction) => say({ fraction }),
    note: (note) => say({ note }),
    end: () => {},
  }
  const own = await openFleet(fleet)
  try {
    say({ counts: await importRows(own, file, { batchRows, progress, share }) })
  } finally {
    await own.close()
  }
}

function start({ index, count }: Share): ChildProcess {
  const [, main = '', ...args] = process.argv
  return fork(main, [...args, '--share', `${index}/${count}`], {
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
}

function endOf(
  child: ChildProcess,
  index: number,
  hear: (index: number, message: Message) => void,
): Promise<number | null> {
  return new Promise((resolve, reject) => {
    child.on('message', (message: Message) => hear(index, message))
    child.on('error', reject)
    child.on('close', resolve)
  })
}

function add(sum: ImportCounts, part: ImportCounts): void {
  for (const name of ['rows', 'skipped', 'newAccounts', 'newMessages', 'waiting'] as const)
    sum[name] += part[name]
}
