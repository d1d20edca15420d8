import { HighlightStyle, syntaxHighlighting } from '@codemirror/language';
import { tags } from '@lezer/highlight';

/** Colours of both schemes are variables of the page. */
const colors = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: tags.tagName, color: 'var(--code-selector)', fontWeight: '600' },
  { tag: tags.propertyName, color: 'var(--code-property)' },
  { tag: [tags.attributeName, tags.variableName], color: 'var(--code-column)' },
  { tag: [tags.string, tags.function(tags.name)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.keyword], color: 'var(--code-value)' },
]);

/** The colours of code in any language. */
export const highlighting = syntaxHighlighting(colors);
