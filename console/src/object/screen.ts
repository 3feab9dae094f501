/** Older lines go. */
const MOST_LINES = 2_000;
const MOST_COLUMNS = 500;
const MOST_CONTROL = 64;
const BELL = '\x07';

/**
 * As much of a terminal as a shell needs to be talked with: lines, carriage return, backspace, and erasing to the end of a
 * line or of everything. Other controls, such as colours, are left out of what is shown.
 */
export class Screen {
  #lines: string[] = [''];
  #column = 0;
  /** The beginning of a control whose end has not come yet. */
  #rest = '';

  write(text: string): void {
    const all = this.#rest + text;
    this.#rest = '';
    for (let i = 0; i < all.length; i++) {
      const character = all[i] ?? '';
      if (character !== '\x1b') {
        this.#put(character);
        continue;
      }
      const control = controlAt(all, i);
      if (control === undefined) {
        this.#rest = all.slice(i).slice(0, 256);
        return;
      }
      this.#erase(control);
      i += control.length - 1;
    }
  }

  get text(): string {
    return this.#lines.join('\n');
  }

  #put(character: string): void {
    const last = this.#lines.length - 1;
    const line = this.#lines[last] ?? '';
    if (character === '\n') {
      this.#lines.push('');
      if (this.#lines.length > MOST_LINES) this.#lines.shift();
      this.#column = 0;
    } else if (character === '\r') this.#column = 0;
    else if (character === '\b') this.#column = Math.max(0, this.#column - 1);
    else if (character >= ' ' || character === '\t') {
      this.#lines[last] = line.slice(0, this.#column).padEnd(this.#column) + character + line.slice(this.#column + 1);
      this.#column++;
    }
  }

  #erase(control: string): void {
    const last = this.#lines.length - 1;
    const [, parameters = '', command] = /^.\[([0-9;]*)([A-Za-z])$/.exec(control) ?? [];
    if (command === 'K' && Number(parameters) === 0)
      this.#lines[last] = (this.#lines[last] ?? '').slice(0, this.#column);
    else if (command === 'J' && Number(parameters) >= 2) {
      this.#lines = [''];
      this.#column = 0;
    } else if (command === 'C') this.#column += Math.min(Number(parameters || 1), MOST_COLUMNS);
    else if (command === 'D') this.#column = Math.max(0, this.#column - Number(parameters || 1));
  }
}

/** A whole control; undefined when its end is still to come. */
function controlAt(text: string, from: number): string | undefined {
  const next = text[from + 1];
  if (next === undefined) return undefined;
  if (next === '[') {
    const length = text.slice(from + 2, from + MOST_CONTROL).search(/[@-~]/);
    return length < 0 ? undefined : text.slice(from, from + 3 + length);
  }
  if (next !== ']') return text.slice(from, from + 2);
  const bell = text.indexOf(BELL, from);
  return bell < 0 ? undefined : text.slice(from, bell + 1);
}
