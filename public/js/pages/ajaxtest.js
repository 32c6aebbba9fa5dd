import { createAjax } from '../../../core/net/echo/http.js';
import $ from 'jquery';
import { mountClassicPage } from '../classic-page.js';

mountClassicPage(createAjax({ library: $, url: new URL('/ajaxecho', location.href).href }));
