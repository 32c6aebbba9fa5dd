/**
 * @param {string} text
 * @returns {Record<string, any> | undefined} absent where the text is not a JSON object
 */
export function parseObject(text) {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
