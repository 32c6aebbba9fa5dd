export { createResultView as createView } from '../ui/home/result-view.js';
