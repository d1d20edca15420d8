import { startPage } from '../common/start.js';
import { ViewerPage } from './ViewerPage.js';

startPage(<ViewerPage />);
