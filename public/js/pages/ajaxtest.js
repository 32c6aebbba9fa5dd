import { createAjax } from '../../../core/net/echo/http.js';
import $ from 'jquery';
import { mountClassicPage } from '../classic-page.js';
import { siteUrl } from '../site-url.js';

mountClassicPage(createAjax({ library: $, url: `${siteUrl}/ajaxecho` }));
