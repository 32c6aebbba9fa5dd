// `vendor/uplot.js` as a browser sees it: the module build of the uplot package.
import uPlot from 'uplot';
export default uPlot;
