import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** A screen of a terminal, with its colours, as a picture. */

const ESCAPE = '\x1b';
const STYLE = new RegExp(`(${ESCAPE}\\[[\\d;]*m)`);
const CELL_WIDTH = 8.4;
const LINE_HEIGHT = 18;
const MARGIN = 12;
const COLORS: Readonly<Record<string, string>> = {
  '31': '#f7768e',
  '32': '#9ece6a',
  '33': '#e0af68',
  '36': '#7dcfff',
};

interface Style {
  color: string;
  isBold: boolean;
  isDim: boolean;
}

const PLAIN: Style = { color: '', isBold: false, isDim: false };

/** Keeps the picture for the documentation where `PICTURES` names a folder for them. */
export async function keepPicture(name: string, title: string, screen: string, columns: number): Promise<void> {
  const folder = process.env.PICTURES;
  if (!folder) return;
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${name}.svg`), screenPicture(title, screen, columns));
}

/** SVG of what `tmux capture-pane -e` gives. */
function screenPicture(title: string, screen: string, columns: number): string {
  const lines = screen.replace(/\n+$/, '').split('\n');
  const width = Math.ceil(columns * CELL_WIDTH + 2 * MARGIN);
  const height = lines.length * LINE_HEIGHT + 2 * MARGIN;
  let style = PLAIN;
  const texts = lines.map((line, at) => {
    const spans: string[] = [];
    for (const piece of line.split(STYLE)) {
      if (piece.startsWith(ESCAPE)) style = restyled(style, piece.slice(2, -1).split(';'));
      else if (piece !== '') spans.push(span(piece, style));
    }
    const y = MARGIN + (at + 1) * LINE_HEIGHT - 5;
    return `<text x="${MARGIN}" y="${y}" xml:space="preserve">${spans.join('')}</text>`;
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" font-family="monospace" font-size="14" fill="#c0caf5">`,
    `<title>${title}</title>`,
    `<rect width="${width}" height="${height}" rx="6" fill="#1a1b26"/>`,
    ...texts,
    '</svg>',
    '',
  ].join('\n');
}

function restyled(style: Style, codes: readonly string[]): Style {
  let next = { ...style };
  for (const code of codes) {
    if (code === '0' || code === '') next = { ...PLAIN };
    else if (code === '1') next.isBold = true;
    else if (code === '2') next.isDim = true;
    else next.color = code === '39' ? '' : (COLORS[code] ?? next.color);
  }
  return next;
}

function span(text: string, { color, isBold, isDim }: Style): string {
  const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  const styles = [
    color === '' ? '' : ` fill="${color}"`,
    isBold ? ' font-weight="bold"' : '',
    isDim ? ' opacity="0.6"' : '',
  ].join('');
  return styles === '' ? escaped : `<tspan${styles}>${escaped}</tspan>`;
}
