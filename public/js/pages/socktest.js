import { createSockjs } from '../../../core/net/echo/sockets.js';
import { mountClassicPage } from '../classic-page.js';
import { importPackage } from '../libraries.js';

const library = await importPackage('sockjs-client');
mountClassicPage(createSockjs({ library, url: new URL('/echo', location.href).href }));
