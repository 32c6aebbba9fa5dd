/** The buttons that copy and download a picture of the answer. */
import { create, element } from '../base/page.js';

const TYPE = 'image/png';

/** @param {() => Promise<string>} picture returns SVG @param {string} [status] selector of the place that shows the outcome */
export function mountPictureButtons(picture, status = '#export-status') {
  const draw = async () => toPng(await picture());
  const buttons = { '#copy-picture': copy, '#download-picture': download };
  for (const [selector, give] of Object.entries(buttons)) {
    element(selector).addEventListener('click', async () => {
      element(status).textContent = await give(draw()).catch(() => 'The picture could not be made.');
    });
  }
}

/** @param {Promise<Blob>} png @returns {Promise<string>} what became of it, in a sentence */
async function copy(png) {
  try {
    // The promise itself: some browsers only let a press write at once.
    await navigator.clipboard.write([new ClipboardItem({ [TYPE]: png })]);
    return 'Copied.';
  } catch {
    return download(png);
  }
}

/** @param {Promise<Blob>} png @returns {Promise<string>} */
async function download(png) {
  const link = create('a', { href: URL.createObjectURL(await png), download: 'sockshootout.png' });
  link.click();
  URL.revokeObjectURL(link.href);
  return `Downloaded ${link.download}.`;
}

/** @param {string} svg @returns {Promise<Blob>} */
async function toPng(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = create('canvas', { width: String(image.width), height: String(image.height) });
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((png) => (png ? resolve(png) : reject(new Error('expected a picture, got none'))), TYPE),
  );
}
