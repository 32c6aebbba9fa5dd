import { createTransport } from '../../../core/net/echo/index.js';
import $ from 'jquery';
import { mountClassicPage } from '../classic-page.js';
import { siteUrl } from '../site-url.js';

mountClassicPage(createTransport('ajax', { library: $, url: `${siteUrl}/ajaxecho` }));
