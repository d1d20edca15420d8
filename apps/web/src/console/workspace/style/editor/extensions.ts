import { autocompletion } from '@codemirror/autocomplete';
import { unifiedMergeView } from '@codemirror/merge';
import { EditorState, type Extension } from '@codemirror/state';
import { colorSwatches } from './colors.js';
import { completeStyle } from './completion.js';
import { editing } from './editing.js';
import { styleHover } from './hover.js';
import { cartocss } from './language.js';
import type { StyleSubject } from './subject.js';
import type { EditorTexts } from './texts.en.js';

/** All that does not depend on the layer. */
export const basics: Extension = [cartocss(), editing];

/** Suggestions, help and colours for a layer, in the user's language. */
export const assistance = (subject: StyleSubject, texts: EditorTexts): Extension => [
  EditorState.phrases.of(texts.phrases),
  autocompletion({ override: [completeStyle(subject, texts)], icons: false, maxRenderedOptions: 9 }),
  styleHover(subject, texts),
  colorSwatches(texts),
];

/** Shows what differs from the saved style, with a button at each place that brings the saved text back. */
export const comparison = (saved: string, texts: EditorTexts): Extension =>
  unifiedMergeView({
    original: saved,
    gutter: false,
    mergeControls: (kind, action) => {
      const button = document.createElement('button');
      if (kind === 'accept') {
        button.hidden = true;
        return button;
      }
      button.type = 'button';
      button.className = 'cm-bring-back';
      button.textContent = texts.bringBack;
      button.addEventListener('click', action);
      return button;
    },
  });
