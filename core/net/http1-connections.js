/**
 * Of one browser to one server over HTTP/1.1, and of each user at the command line:
 * https://chromium.googlesource.com/chromium/src/+/main/net/socket/client_socket_pool_manager.cc
 */
export const HTTP1_CONNECTION_COUNT = 6;
