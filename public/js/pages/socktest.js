import { createSockjs } from '../../../core/net/echo/sockets.js';
import { mountClassicPage } from '../classic-page.js';
import { importPackage } from '../libraries.js';
import { siteUrl } from '../site-url.js';

const library = await importPackage('sockjs-client');
mountClassicPage(createSockjs({ library, url: `${siteUrl}/echo` }));
