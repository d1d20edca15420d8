import { parser } from 'grammar:cartocss';
import {
  delimitedIndent,
  foldInside,
  foldNodeProp,
  HighlightStyle,
  indentNodeProp,
  LanguageSupport,
  LRLanguage,
  syntaxHighlighting,
} from '@codemirror/language';
import { styleTags, tags } from '@lezer/highlight';

const language = LRLanguage.define({
  name: 'cartocss',
  parser: parser.configure({
    props: [
      styleTags({
        'LineComment BlockComment': tags.comment,
        'Id Class Any Map Attachment': tags.tagName,
        PropertyName: tags.propertyName,
        'FilterName Column': tags.attributeName,
        Variable: tags.variableName,
        'Function UrlContent': tags.function(tags.name),
        'String UrlContent': tags.string,
        'Number HexColor': tags.number,
        Word: tags.keyword,
        'Comparison Operator': tags.operator,
      }),
      indentNodeProp.add({ Block: delimitedIndent({ closing: '}' }) }),
      foldNodeProp.add({ Block: foldInside }),
    ],
  }),
  languageData: {
    commentTokens: { line: '//', block: { open: '/*', close: '*/' } },
    closeBrackets: { brackets: ['(', '[', '{', '"', "'"] },
    indentOnInput: /^\s*\}$/,
  },
});

/** Colours of both schemes are variables of the page. */
const highlighting = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--quiet)', fontStyle: 'italic' },
  { tag: tags.tagName, color: 'var(--code-selector)', fontWeight: '600' },
  { tag: tags.propertyName, color: 'var(--code-property)' },
  { tag: [tags.attributeName, tags.variableName], color: 'var(--code-column)' },
  { tag: [tags.string, tags.function(tags.name)], color: 'var(--code-string)' },
  { tag: [tags.number, tags.keyword], color: 'var(--code-value)' },
]);

/** CartoCSS for CodeMirror: syntax, colours, indentation, folding. */
export const cartocss = (): LanguageSupport =>
  new LanguageSupport(language, syntaxHighlighting(highlighting));
