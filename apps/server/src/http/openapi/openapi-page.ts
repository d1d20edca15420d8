/** Corrections of the Swagger UI page for accessibility: contrast of colours, and names of regions. */

const css = `
.swagger-ui .topbar{display:none}
.swagger-ui .info .title small{background:#5b6270}
.swagger-ui .info .title small.version-stamp{background:#3f6b00}
.swagger-ui .info a,.swagger-ui .info .url,.swagger-ui .link{color:#1e5fae}
.swagger-ui .btn.authorize,.swagger-ui .btn.authorize span{color:#16713f;border-color:#16713f}
.swagger-ui .btn.authorize svg{fill:#16713f}
.swagger-ui .opblock .opblock-summary-method{text-shadow:none}
.swagger-ui .opblock.opblock-get .opblock-summary-method{background:#1e5fae}
.swagger-ui .opblock.opblock-post .opblock-summary-method{background:#16713f}
.swagger-ui .opblock.opblock-put .opblock-summary-method{background:#8a5300}
.swagger-ui .opblock.opblock-patch .opblock-summary-method{background:#0f6f66}
.swagger-ui .opblock.opblock-delete .opblock-summary-method{background:#b3261e}
.dark-mode .swagger-ui .info a,.dark-mode .swagger-ui .info .url,.dark-mode .swagger-ui .link{color:#8ab4f8}
.dark-mode .swagger-ui .btn.authorize,.dark-mode .swagger-ui .btn.authorize span{color:#7fd4a8;border-color:#7fd4a8}
.dark-mode .swagger-ui .btn.authorize svg{fill:#7fd4a8}
@media(max-width:640px){.swagger-ui .wrapper{padding:0 12px}.swagger-ui .opblock-tag small{padding:0}.swagger-ui .opblock-tag{flex-wrap:wrap}}
`;

const js = `
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
  css: [{ filename: 'readable.css', content: css }],
  js: [{ filename: 'named.js', content: js }],
};
