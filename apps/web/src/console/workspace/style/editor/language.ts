import { parser } from 'grammar:cartocss';
import {
  delimitedIndent,
  foldInside,
  foldNodeProp,
  indentNodeProp,
  LanguageSupport,
  LRLanguage,
} from '@codemirror/language';
import { styleTags, tags } from '@lezer/highlight';
import { highlighting } from './highlighting.js';

const language = LRLanguage.define({
  name: 'cartocss',
  parser: parser.configure({
    props: [
      styleTags({
        'LineComment BlockComment': tags.comment,
        'Id Class Any Around Map Attachment': tags.tagName,
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

/** CartoCSS for CodeMirror: syntax, colours, indentation, folding. */
export const cartocss = (): LanguageSupport => new LanguageSupport(language, highlighting);
