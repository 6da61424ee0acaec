/**
 * The listener of `cms serve` with `--https` or `--qr`: that of listhen, which makes the certificate and draws the code. It is
 * loaded with these options alone, since loading it takes longer than the rest of a start.
 *
 * Browsers are opened without it: it runs a script from the shared folder for temporary files, where another user of the
 * machine can have put a program of that name.
 */
import type { Server } from "node:http";
import { listen, type Listener } from "listhen";
import { setup } from "../../errors.ts";
import type { ListenOn } from "../../http/socket/serve.ts";

export interface DevelopmentListener {
  readonly listenOn: ListenOn;
  /** Prints the addresses at which other devices reach the site, with the code of the first, if that is asked for. */
  show(): Promise<void>;
}

/** What the options of the command ask for. */
export interface DevelopmentWishes {
  readonly https: boolean;
  readonly qr: boolean;
  /** Whether other devices reach the address. */
  readonly isPublic: boolean;
}

/** How long the certificate is valid, in days: it is made anew at every start. */
const VALIDITY_DAYS = 30;

export function developmentListener({ https, qr, isPublic }: DevelopmentWishes): DevelopmentListener {
  let listener: Listener | undefined;
  return {
    async listenOn(port, host) {
      // Requests are answered by what is attached to its server.
      listener = await listen(() => undefined, {
        ...{
          port: { port, random: port === 0 },
          hostname: host,
          public: isPublic,
          https: https && { validityDays: VALIDITY_DAYS },
        },
        ...{ isProd: false, isTest: false, showURL: false, open: false, autoClose: false },
      });
      const server = listener.server as Server;
      if (port !== 0 && listener.address.port !== port) {
        await listener.close();
        throw setup(`Port ${port} is taken: stop what uses it, or choose another with --port.`);
      }
      return server;
    },
    async show() {
      if (qr) await listener?.showURL({ qr: true });
    },
  };
}
