import { createSockjs } from '../../../core/net/echo/sockets.js';
import { mountClassicPage } from '../classic-page.js';

const { default: library } = await import('sockjs-client');
mountClassicPage(createSockjs({ library, url: new URL('/echo', location.href).href }));
