import { autocompletion, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { bracketMatching, foldGutter, HighlightStyle, indentUnit, syntaxHighlighting } from '@codemirror/language';
import { type Diagnostic, lintGutter, setDiagnostics } from '@codemirror/lint';
import { unifiedMergeView } from '@codemirror/merge';
import { highlightSelectionMatches, searchKeymap } from '@codemirror/search';
import { EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  drawSelection,
  EditorView,
  GutterMarker,
  gutter,
  highlightActiveLine,
  keymap,
  lineNumbers,
} from '@codemirror/view';
import { tags } from '@lezer/highlight';
import type { SchemaReader } from '../api/openapi.ts';
import { completing, explainingFields } from './schema-help.ts';

const COLOURS = EditorView.theme({
  '&': { height: '100%', fontSize: '13px', backgroundColor: 'var(--surface)', color: 'var(--text)' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.55' },
  '.cm-gutters': { backgroundColor: 'var(--surface)', color: 'var(--quiet)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--accent-soft) 45%, transparent)',
  },
  // The usual marks are pictures in the style, which the policy of the page forbids.
  '.cm-lint-marker-error': { content: '"●"', color: 'var(--bad)', width: 'auto' },
  '.cm-lint-marker': { width: '1em', height: 'auto' },
  '.cm-lintRange-error': { backgroundImage: 'none', textDecoration: 'underline wavy var(--bad)' },
  '.cm-lintRange-active': { backgroundColor: 'var(--bad-soft)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft)',
  },
  '.cm-tooltip, .cm-panels': {
    backgroundColor: 'var(--raised)',
    color: 'var(--text)',
    border: '1px solid var(--line)',
    borderRadius: '8px',
  },
  '.cm-tooltip .field-help': {
    maxWidth: '46ch',
    padding: '8px 12px',
    font: '13px/1.45 system-ui, sans-serif',
    whiteSpace: 'normal',
  },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': { backgroundColor: 'var(--accent-soft)', color: 'var(--text)' },
  '.cm-owners': { minWidth: '13ch', fontSize: '11px', paddingRight: '6px' },
  '.owner': {
    display: 'block',
    maxWidth: '16ch',
    overflow: 'hidden',
    textOverflow: 'ellipsis',
    whiteSpace: 'nowrap',
    paddingLeft: '8px',
  },
  '.owner.applied': { color: 'var(--accent)' },
  '.cm-changedLine': { backgroundColor: 'var(--good-soft) !important' },
  '.cm-deletedChunk': { backgroundColor: 'var(--bad-soft) !important', paddingLeft: '6px' },
  '.cm-collapsedLines::before, .cm-collapsedLines::after': { content: '"⋯" !important' },
  '.cm-changedText, .cm-deletedText': { background: 'none !important', textDecoration: 'underline' },
});

const HIGHLIGHT = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: [tags.string, tags.content], color: 'var(--text)' },
  { tag: [tags.number, tags.bool, tags.null, tags.keyword], color: 'var(--careful)' },
  { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
]);

const look = (): Extension => [lineNumbers(), yaml(), syntaxHighlighting(HIGHLIGHT), COLOURS, EditorView.lineWrapping];

/** Owners of lines, as texts to show, by the number of the line. */
export interface LineOwner {
  readonly text: string;
  readonly title: string;
  readonly isApplied: boolean;
}

const setOwners = StateEffect.define<ReadonlyMap<number, LineOwner>>();
const owners = StateField.define<ReadonlyMap<number, LineOwner>>({
  create: () => new Map(),
  update: (known, { effects }) => effects.find((effect) => effect.is(setOwners))?.value ?? known,
});

class OwnerMarker extends GutterMarker {
  readonly #owner: LineOwner;

  constructor(owner: LineOwner) {
    super();
    this.#owner = owner;
  }

  override toDOM(): Node {
    const place = document.createElement('span');
    place.className = `owner ${this.#owner.isApplied ? 'applied' : ''}`;
    place.textContent = this.#owner.text;
    place.title = this.#owner.title;
    return place;
  }
}

const ownerGutter = gutter({
  class: 'cm-owners',
  lineMarker(view, { from }) {
    const owner = view.state.field(owners).get(view.state.doc.lineAt(from).number);
    return owner ? new OwnerMarker(owner) : null;
  },
  lineMarkerChange: ({ transactions }) => transactions.some(({ effects }) => effects.some((one) => one.is(setOwners))),
});

/**
 * Where editors put their styles: a shadow root takes them as objects. In the page they would be elements with text, which
 * its policy forbids.
 */
const rootIn = (place: HTMLElement): ShadowRoot => place.shadowRoot ?? place.attachShadow({ mode: 'open' });

/** What scrolls can be reached with the keyboard. */
function reachable(view: EditorView): EditorView {
  view.scrollDOM.tabIndex = 0;
  return view;
}

export interface CodeOptions {
  readonly place: HTMLElement;
  readonly text: string;
  schema(): SchemaReader | undefined;
  onChange(text: string): void;
  onReview(): void;
}

/** The editor of an object. */
export function openEditor({ place, text, schema, onChange, onReview }: CodeOptions): EditorView {
  const review = (): boolean => {
    onReview();
    return true;
  };
  const extensions = [
    owners,
    ownerGutter,
    look(),
    lintGutter(),
    foldGutter(),
    history(),
    drawSelection(),
    highlightActiveLine(),
    highlightSelectionMatches(),
    bracketMatching(),
    indentUnit.of('  '),
    autocompletion({ override: [completing(schema)] }),
    explainingFields(schema),
    EditorView.contentAttributes.of({ 'aria-label': 'The object as YAML' }),
    keymap.of([
      { key: 'Mod-s', run: review },
      ...completionKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      ...searchKeymap,
      indentWithTab,
    ]),
    EditorView.updateListener.of(({ docChanged, state }) => {
      if (docChanged) onChange(state.doc.toString());
    }),
  ];
  const root = rootIn(place);
  return reachable(new EditorView({ state: EditorState.create({ doc: text, extensions }), parent: root, root }));
}

/** What would change, as one text. */
export function openDiff(place: HTMLElement, before: string, after: string): EditorView {
  const extensions = [
    look(),
    EditorState.readOnly.of(true),
    EditorView.contentAttributes.of({ 'aria-label': 'What would change' }),
    unifiedMergeView({ original: before, mergeControls: false, collapseUnchanged: { margin: 3, minSize: 6 } }),
  ];
  const root = rootIn(place);
  return reachable(new EditorView({ state: EditorState.create({ doc: after, extensions }), parent: root, root }));
}

export function showOwners(view: EditorView, byLine: ReadonlyMap<number, LineOwner>): void {
  view.dispatch({ effects: setOwners.of(byLine) });
}

export function showProblems(
  view: EditorView,
  problems: readonly { from: number; to: number; message: string }[],
): void {
  const last = view.state.doc.length;
  const diagnostics = problems.map(({ from, to, message }): Diagnostic => {
    const start = Math.min(from, last);
    return { from: start, to: Math.max(start, Math.min(to, last)), message, severity: 'error' };
  });
  view.dispatch(setDiagnostics(view.state, diagnostics));
}

export function replaceText(view: EditorView, text: string): void {
  view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text } });
}
