/** Where progress is shown. */
export interface Screen {
  readonly isTTY?: boolean
  readonly columns?: number
  write(text: string): unknown
}

/** Shows how far a piece of work has come. */
export interface Progress {
  /** `fraction` from 0 to 1. */
  update(fraction: number, text: string): void
  /** A line that stays. */
  note(text: string): void
  /** Leaves the last state on the screen, also of work that failed. */
  end(): void
}

const WIDTH = 30
const CLEAR_LINE = '\r\u001b[2K'

/** A bar that redraws itself on a terminal; elsewhere a plain line for each tenth. */
export function progressOn(screen: Screen): Progress {
  return screen.isTTY ? bar(screen) : plainLines(screen)
}

function bar(screen: Screen): Progress {
  let last = ''
  const draw = (): void => {
    screen.write(`${CLEAR_LINE}${last.slice(0, (screen.columns ?? 80) - 1)}`)
  }
  return {
    update(fraction, text) {
      const full = Math.round(fraction * WIDTH)
      last = `${'█'.repeat(full)}${'░'.repeat(WIDTH - full)} ${percent(fraction)}  ${text}`
      draw()
    },
    note(text) {
      screen.write(`${CLEAR_LINE}${text}\n`)
      if (last !== '') draw()
    },
    end() {
      if (last !== '') screen.write('\n')
      last = ''
    },
  }
}

function plainLines(screen: Screen): Progress {
  let tenths = 0
  return {
    update(fraction, text) {
      const reached = Math.floor(fraction * 10)
      if (reached <= tenths) return
      tenths = reached
      screen.write(`${percent(fraction)}  ${text}\n`)
    },
    note: (text) => screen.write(`${text}\n`),
    end: () => {},
  }
}

function percent(fraction: number): string {
  return `${Math.floor(fraction * 100)}%`.padStart(4)
}
