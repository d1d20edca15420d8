import { EditorView } from '@codemirror/view';

const added = (percent: number): string => `color-mix(in srgb, #2b8a3e ${percent}%, transparent)`;
const removed = (percent: number): string => `color-mix(in srgb, var(--wrong) ${percent}%, transparent)`;
const rounded = { border: '1px solid var(--edge)', borderRadius: '8px' };

/** The look of the editor. Its colours are variables of the page, so that it follows the scheme. */
export const editorTheme = EditorView.theme({
  '&': {
    border: '1px solid var(--edge)',
    borderRadius: '10px',
    background: 'var(--paper)',
    color: 'var(--text)',
    fontSize: '13px',
    overflow: 'hidden',
  },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '&.cm-wrong': { borderColor: 'var(--wrong)' },
  '.cm-scroller': {
    minHeight: '300px',
    maxHeight: '62vh',
    fontFamily: 'var(--mantine-font-family-monospace)',
    lineHeight: '1.6',
    overflow: 'auto',
  },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--text)' },
  '.cm-cursor': { borderLeftColor: 'var(--text)' },
  '.cm-gutters': { background: 'transparent', color: 'var(--quiet)', border: '0' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '24px', padding: '0 4px 0 8px' },
  '.cm-activeLine, .cm-activeLineGutter': { background: 'color-mix(in srgb, var(--accent) 7%, transparent)' },
  '&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground': {
    background: 'color-mix(in srgb, var(--accent) 25%, transparent) !important',
  },
  '.cm-matchingBracket': { background: 'var(--accent-soft) !important', color: 'inherit' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--wrong)',
    textUnderlineOffset: '3px',
  },
  '.cm-swatch': {
    width: '13px',
    height: '13px',
    margin: '0 4px 0 0',
    padding: '0',
    ...rounded,
    borderRadius: '4px',
    background: 'none',
    verticalAlign: '-1px',
    cursor: 'pointer',
  },
  '.cm-swatch::-webkit-color-swatch-wrapper': { padding: '0' },
  '.cm-swatch::-webkit-color-swatch, .cm-swatch::-moz-color-swatch': { border: '0', borderRadius: '3px' },
  '.cm-tooltip': {
    ...rounded,
    background: 'var(--card)',
    color: 'var(--text)',
    boxShadow: 'var(--shade)',
    overflow: 'hidden',
  },
  '.cm-tooltip.cm-completionInfo, .cm-tooltip-hover': { maxWidth: 'min(340px, 90vw)' },
  // All suggestions that are rendered are in view: a list that scrolls would have to take the focus.
  '.cm-tooltip.cm-tooltip-autocomplete > ul': {
    fontFamily: 'var(--mantine-font-family-monospace)',
    maxHeight: 'none',
  },
  '.cm-tooltip-autocomplete > ul > li': { padding: '4px 10px !important' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    background: 'var(--mantine-color-ink-7) !important',
    color: '#fff !important',
  },
  '.cm-completionDetail': { color: 'var(--quiet)', fontStyle: 'normal' },
  'li[aria-selected] .cm-completionDetail': { color: 'inherit' },
  '.cm-help': { padding: '8px 12px', fontSize: '13px', fontFamily: 'var(--mantine-font-family)' },
  '.cm-help p': { margin: '0 0 4px', overflowWrap: 'anywhere' },
  '.cm-help-title': { fontWeight: '600' },
  '.cm-diagnostic': { padding: '6px 10px', borderLeftColor: 'var(--wrong)', maxWidth: 'min(340px, 90vw)' },
  '.cm-changedLine, .cm-inlineChangedLine': { background: `${added(7)} !important` },
  '.cm-deletedChunk': { background: removed(7), padding: '0 6px' },
  '.cm-changedText': { background: `${added(9)} !important`, boxShadow: `inset 0 -2px ${added(60)}` },
  '.cm-deletedText, .cm-deletedChunk .cm-deletedText': {
    background: `${removed(8)} !important`,
    boxShadow: `inset 0 -2px ${removed(60)}`,
  },
  '.cm-deletedChunk .cm-chunkButtons': { position: 'static', padding: '4px 0', textAlign: 'right' },
  '.cm-deletedChunk .cm-chunkButtons .cm-bring-back': {
    minHeight: '26px',
    margin: '0',
    padding: '0 10px',
    ...rounded,
    background: 'var(--card)',
    color: 'var(--text)',
    fontFamily: 'var(--mantine-font-family)',
    fontSize: '12px',
    cursor: 'pointer',
  },
});
