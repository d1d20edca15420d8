/** The look of the page of the interface: the logo, colours and fonts of the other pages, and names of regions. */

const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#16716a"/><g transform="translate(3.2 3.2) scale(.8)" fill="#fffefb"><path d="M3 8.5 11 5v18.5L3 27z" opacity=".6"/><path d="m11 5 10 4v18.5l-10-4z"/><path d="m21 9 8-3.5V24l-8 3.5z" opacity=".6"/></g></svg>`;

const css = `
:root{--paper:#f7f5f0;--card:#fffefb;--line:#e2ded4;--text:#1d2423;--quiet:#5d6866;--accent:#16716a;--get:#1e5fae;--post:#16713f;--put:#8a5300;--patch:#0f6f66;--delete:#b3261e}
html.dark-mode{--paper:#121818;--card:#1b2322;--line:#303b3a;--text:#e4eae9;--quiet:#9cabaa;--accent:#83b9b3}
body{background:var(--paper)}
.brand{display:flex;flex-wrap:wrap;align-items:center;gap:4px 20px;padding:10px max(20px,calc(50vw - 710px));border-bottom:1px solid var(--line);background:var(--card);font:15px system-ui,sans-serif}
.brand a{display:inline-flex;align-items:center;gap:10px;min-height:44px;color:var(--text);text-decoration:none}
.brand a:hover{color:var(--accent);text-decoration:underline}
.brand a:first-child{margin-right:auto;font:600 1.2rem Charter,'Noto Serif',Georgia,serif}
.brand img{width:30px;height:30px}
.swagger-ui{color:var(--text);font-family:system-ui,-apple-system,'Segoe UI',Roboto,'Noto Sans',sans-serif}
.swagger-ui .topbar,.swagger-ui__skip-link{display:none}
.swagger-ui .info{margin:28px 0}
.swagger-ui .info .title,.swagger-ui .opblock-tag{color:var(--text);font-family:Charter,'Noto Serif',Georgia,serif;font-weight:600}
.swagger-ui .info p,.swagger-ui .info li,.swagger-ui .opblock-tag small,.swagger-ui .opblock .opblock-summary-description,.swagger-ui .opblock .opblock-summary-path{color:var(--text);font-family:inherit}
.swagger-ui .opblock .opblock-summary-path{font-family:ui-monospace,'DejaVu Sans Mono',monospace}
.swagger-ui .opblock-tag{border-bottom-color:var(--line)}
.swagger-ui .opblock-tag small{font-family:system-ui,sans-serif}
.swagger-ui .scheme-container{background:var(--card);box-shadow:none;border-block:1px solid var(--line)}
.swagger-ui .opblock{border-radius:10px;box-shadow:none}
.swagger-ui .info .title small{background:#5b6270}
.swagger-ui .info .title small.version-stamp{background:#3f6b00}
.swagger-ui .info a,.swagger-ui .info .url,.swagger-ui .link{color:var(--accent)}
.swagger-ui .btn.authorize,.swagger-ui .btn.authorize span{color:var(--accent);border-color:var(--accent)}
.swagger-ui .btn.authorize svg{fill:var(--accent)}
.swagger-ui .btn.execute{border-color:#16716a;background:#16716a}
.swagger-ui .opblock .opblock-summary-method{text-shadow:none}
.swagger-ui .opblock.opblock-get .opblock-summary-method{background:var(--get)}
.swagger-ui .opblock.opblock-post .opblock-summary-method{background:var(--post)}
.swagger-ui .opblock.opblock-put .opblock-summary-method{background:var(--put)}
.swagger-ui .opblock.opblock-patch .opblock-summary-method{background:var(--patch)}
.swagger-ui .opblock.opblock-delete .opblock-summary-method{background:var(--delete)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media(max-width:640px){.swagger-ui .wrapper{padding:0 12px}.swagger-ui .opblock-tag small{flex-basis:100%;padding:0}.swagger-ui .opblock-tag{flex-wrap:wrap}}
`;

const js = `
const page = new URL(location.href.replace(/[^/]*$/, ''));
const header = Object.assign(document.createElement('header'), { className: 'brand' });
const link = (path, text) => header.appendChild(Object.assign(document.createElement('a'), { href: new URL(path, page).href, textContent: text }));
link('../../../', 'Cartulary').prepend(Object.assign(new Image(), { src: document.querySelector('link[rel=icon]').href, alt: '' }));
link('../../../docs/', 'Guide');
link('../openapi.json', 'OpenAPI document');
document.body.prepend(header);
const mend = () => {
  document.documentElement.lang ||= 'en';
  if (document.head && !document.querySelector('meta[name=viewport]'))
    document.head.append(Object.assign(document.createElement('meta'), { name: 'viewport', content: 'width=device-width, initial-scale=1' }));
  const region = (selector, name) => {
    const one = document.querySelector(selector);
    one?.setAttribute('role', 'region');
    one?.setAttribute('aria-label', name);
  };
  region('.information-container', 'About');
  region('.scheme-container', 'Server and token');
  document.querySelector('#servers')?.setAttribute('aria-label', 'Server');
  for (const one of document.querySelectorAll('.opblock-tag:not([aria-level]), .models > h4:not([aria-level])')) one.setAttribute('aria-level', '2');
};
new MutationObserver(mend).observe(document.documentElement, { childList: true, subtree: true });
mend();
`;

export const pageTheme = {
  title: 'Cartulary: the REST interface',
  favicon: [{ filename: 'icon.svg', rel: 'icon', type: 'image/svg+xml', sizes: 'any', content: icon }],
  css: [{ filename: 'readable.css', content: css }],
  js: [{ filename: 'named.js', content: js }],
};
