import { VERSION } from '../version.ts';

/** Bars in a row: it is sent with every answer, so it is as short as it can be. */
const ICON =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="3" fill="#1f5fbf"/><path d="M4 12V8m4 4V4m4 8V6" stroke="#fff" stroke-width="2"/></svg>';

/** Who this server is, as hosts show it to people. Its icon loads nothing. */
export const IDENTITY = {
  name: 'storesight',
  title: 'Storesight',
  version: VERSION,
  description: 'Ask your own online store anything. It only reads.',
  icons: [
    { src: `data:image/svg+xml,${encodeURIComponent(ICON)}`, mimeType: 'image/svg+xml', sizes: ['any'] },
  ],
};
