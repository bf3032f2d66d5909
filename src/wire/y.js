import { x } from '../base/x.js';
export const y = x + 1;
