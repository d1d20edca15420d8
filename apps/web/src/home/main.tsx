import { startPage } from '../common/start.js';
import { HomePage } from './HomePage.js';

startPage(<HomePage />);
