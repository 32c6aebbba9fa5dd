import { createSockjs } from '../../../core/net/echo/sockets.js';
import { mountClassicPage } from '../classic-page.js';

mountClassicPage(createSockjs({ library: window.SockJS, url: new URL('/echo', location.href).href }));
