/** A device with passkeys, in software: ES256, without attestation. */
import { createHash, generateKeyPairSync, randomBytes, sign } from "node:crypto";

export interface Authenticator {
  /** What `navigator.credentials.create` answers. */
  create(options: { readonly challenge: string; readonly rp: { readonly id?: string } }): object;
  /** What `navigator.credentials.get` answers. */
  get(options: { readonly challenge: string; readonly rpId?: string }): {
    id: string;
    response: Record<string, string>;
  };
  counter: number;
  /** Where the browser says that it is. */
  origin: string;
  /** Whether the device asks its owner. */
  verifies: boolean;
}

const sha256 = (data: string | Buffer): Buffer => createHash("sha256").update(data).digest();
const text = (data: Buffer): string => data.toString("base64url");

export function authenticator(origin: string): Authenticator {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { x = "", y = "" } = publicKey.export({ format: "jwk" });
  const id = randomBytes(16);
  // CBOR: { 1: 2 (EC2), 3: -7 (ES256), -1: 1 (P-256), -2: x, -3: y }
  const coordinate = (key: string, value: string): Buffer =>
    Buffer.concat([Buffer.from(`${key}5820`, "hex"), Buffer.from(value, "base64url")]);
  const coseKey = Buffer.concat([Buffer.from("a5010203262001", "hex"), coordinate("21", x), coordinate("22", y)]);
  const dataOf = (host: string, attested?: Buffer): Buffer => {
    const counter = Buffer.alloc(4);
    counter.writeUInt32BE(made.counter++);
    const flags = 0x01 | (made.verifies ? 0x04 : 0) | (attested ? 0x40 : 0);
    return Buffer.concat([sha256(host), Buffer.from([flags]), counter, ...(attested ? [attested] : [])]);
  };
  const clientData = (type: string, challenge: string): Buffer =>
    Buffer.from(JSON.stringify({ type, challenge, origin: made.origin, crossOrigin: false }));
  const shown = { id: text(id), rawId: text(id), type: "public-key", clientExtensionResults: {} };
  const made: Authenticator = {
    counter: 1,
    origin,
    verifies: true,
    create({ challenge, rp }) {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey]);
      const data = dataOf(rp.id!, attested);
      // CBOR: { fmt: "none", attStmt: {}, authData }
      const head = Buffer.from(
        `a363666d74646e6f6e656761747453746d74a068617574684461746158${data.length.toString(16)}`,
        "hex",
      );
      const response = {
        clientDataJSON: text(clientData("webauthn.create", challenge)),
        attestationObject: text(Buffer.concat([head, data])),
      };
      return { ...shown, response };
    },
    get({ challenge, rpId }) {
      const [data, client] = [dataOf(rpId!), clientData("webauthn.get", challenge)];
      const signature = sign("sha256", Buffer.concat([data, sha256(client)]), privateKey);
      return {
        ...shown,
        response: { authenticatorData: text(data), clientDataJSON: text(client), signature: text(signature) },
      };
    },
  };
  return made;
}
