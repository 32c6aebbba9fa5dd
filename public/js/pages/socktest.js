import { createTransport } from '../../../core/net/echo/index.js';
import { mountClassicPage } from '../classic-page.js';
import { importPackage } from '../libraries.js';
import { siteUrl } from '../site-url.js';

const library = await importPackage('sockjs-client');
mountClassicPage(createTransport('sockjs', { library, url: `${siteUrl}/echo` }));
