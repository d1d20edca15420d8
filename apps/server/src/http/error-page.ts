/** The HTML page of an error. Clients that accept only JSON receive JSON instead. Pure. */
import { createHash } from 'node:crypto';
import { matchLanguage } from './headers/languages.js';

const entities: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for HTML content and attributes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => entities[character]!);

/** The relative path from a page up to the base address of the service: `..` for each folder. */
export function wayUp(url: string): string {
  const depth = url.split('?')[0]!.split('/').length - 2;
  return depth > 0 ? Array(depth).fill('..').join('/') : '.';
}

const style = `
:root{color-scheme:light dark;--paper:#f7f5f0;--card:#fffefb;--line:#e2ded4;--text:#1d2423;--quiet:#5d6866;--accent:#10635c}
@media(prefers-color-scheme:dark){:root{--paper:#121818;--card:#1b2322;--line:#303b3a;--text:#e4eae9;--quiet:#9cabaa;--accent:#74c7bd}}
body{margin:0;min-height:100vh;display:grid;place-items:center;background:var(--paper);color:var(--text);font:16px/1.5 system-ui,sans-serif}
main{box-sizing:border-box;width:min(520px,calc(100vw - 32px));padding:32px;background:var(--card);border:1px solid var(--line);border-radius:14px}
h1{margin:0 0 8px;font-size:26px;line-height:1.2}
p{margin:0 0 16px;overflow-wrap:anywhere}
.code{color:var(--quiet);font-size:14px}
nav{display:flex;flex-wrap:wrap;gap:8px 20px}
a{color:var(--accent)}
`;

export const errorPageHeaders = {
  'content-security-policy': [
    "default-src 'none'",
    `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'referrer-policy': 'no-referrer',
};

interface PageTexts {
  headings: Readonly<Record<number, string>>;
  /** Heading of any other status. */
  other: string;
  /** Before the message of the error, which is English. */
  details: string;
  links: { title: string; maps: string; documentation: string; api: string };
}

const texts: Readonly<Record<string, PageTexts>> = {
  en: {
    headings: {
      400: 'This address or request is not correct',
      401: 'Sign-in is needed',
      403: 'You may not see this',
      404: 'Not found',
      413: 'This is too large',
      429: 'Too many requests',
      503: 'The service is busy',
    },
    other: 'This did not work',
    details: '',
    links: { title: 'Service', maps: 'Maps', documentation: 'Documentation', api: 'Interface' },
  },
  ru: {
    headings: {
      400: 'В адресе или запросе ошибка',
      401: 'Нужно войти',
      403: 'Вам нельзя это смотреть',
      404: 'По этому адресу ничего нет',
      413: 'Запрос слишком большой',
      429: 'Слишком много запросов',
      503: 'Сервис занят. Попробуйте ещё раз',
    },
    other: 'Не получилось',
    details: 'Подробности по-английски: ',
    links: { title: 'Сервис', maps: 'Карты', documentation: 'Документация', api: 'Интерфейс' },
  },
};

interface ErrorPage {
  status: number;
  code: string;
  message: string;
  /** Address of the request. */
  url: string;
  /** Languages that the reader wants, best first. */
  languages: readonly string[];
}

/** The page of an error, with links to other pages. */
export function errorPage({ status, code, message, url, languages }: ErrorPage): string {
  const base = wayUp(url);
  const language = matchLanguage(languages, Object.keys(texts)) ?? 'en';
  const { headings, other, details, links } = texts[language]!;
  const heading = headings[status] ?? other;
  return `<!doctype html>
<html lang="${language}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${status} · ${heading}</title><style>${style}</style></head>
<body><main><h1>${heading}</h1><p>${details}<span lang="en">${escapeHtml(message)}</span></p><p class="code">${status} <code>${escapeHtml(code)}</code></p>
<nav aria-label="${links.title}"><a href="${base}/">${links.maps}</a><a href="${base}/docs/">${links.documentation}</a><a href="${base}/api/2.8/docs/">${links.api}</a></nav>
</main></body></html>
`;
}
