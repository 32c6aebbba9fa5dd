/** The button that copies a picture of the answer; where a browser cannot, it downloads the picture. */
import { drawRun } from '../../../core/experiment/card.js';
import { create, element } from '../base/page.js';

/** Pixels of the picture in each of its units: enough for screens of high density. */
const SCALE = 2;
const TYPE = 'image/png';

/**
 * @param {() => Parameters<typeof drawRun>[0]} described what describes the document @param {() => any} shown the document
 */
export function mountPictureButton(described, shown) {
  element('#copy-picture').addEventListener('click', async () => {
    const png = toPng(drawRun(described(), shown()));
    element('#export-status').textContent = await give(png).catch(() => 'This browser cannot make the picture.');
  });
}

/** @param {Promise<Blob>} png @returns {Promise<string>} what became of it, in a sentence */
async function give(png) {
  try {
    // The promise itself: some browsers only let a press write at once.
    await navigator.clipboard.write([new ClipboardItem({ [TYPE]: png })]);
    return 'Copied.';
  } catch {
    const link = create('a', { href: URL.createObjectURL(await png), download: 'sockshootout.png' });
    link.click();
    URL.revokeObjectURL(link.href);
    return `Downloaded ${link.download}.`;
  }
}

/** @param {string} svg @returns {Promise<Blob>} */
async function toPng(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`;
  await image.decode();
  const [width, height] = [image.width, image.height].map((px) => String(SCALE * px));
  const canvas = create('canvas', { width, height });
  canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve, reject) =>
    canvas.toBlob((png) => (png ? resolve(png) : reject(new Error('expected a picture, got none'))), TYPE),
  );
}
