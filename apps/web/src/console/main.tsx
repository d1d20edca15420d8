import { renderPage } from '../common/start.js';
import { Console } from './Console.js';
import { ConsoleSessions } from './sessions.js';

renderPage(
  <ConsoleSessions>
    <Console />
  </ConsoleSessions>,
);
