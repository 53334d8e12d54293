/** Signatures of requests and of stream messages: HMAC-SHA256 over time, method, path and body hash, by WebCrypto. */
/** The path of the account's stream. */
export declare const USER_STREAM = "/ws/v1/user";
/** An API key. The public key reads the account; only the secret key can change it. */
export declare class Credentials {
    #private;
    /** The public key. */
    readonly publicKey: string;
    constructor(publicKey: string, secretKey?: string);
    /** Whether there is a secret key. */
    get canSign(): boolean;
    /** The value of `X-Signature`. The request must carry exactly this body and this path, without a query. */
    sign(timestamp: number, method: string, path: string, body?: string): Promise<string>;
    /** The proof that arms or disarms one stream connection, named by the `clientId` of its greeting. */
    signCancelOnDisconnect(timestamp: number, isEnabled: boolean, clientId: string): Promise<string>;
}
/** Lower-case hex of the body's SHA-256; empty without a body. */
export declare function bodyHash(body: string | undefined): Promise<string>;
