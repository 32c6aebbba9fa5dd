// What sockjs 0.3.24 has and its published types leave out.
import type { IncomingMessage } from 'node:http';

declare module 'sockjs' {
  interface ServerOptions {
    faye_server_options?: { maxLength?: number };
  }
  interface Server {
    listener(): { getHandler(): (req: IncomingMessage, res: object, head?: Buffer) => boolean };
  }
  interface Connection {
    close(code: number, reason?: string): boolean;
  }
}
