/** The address and the keys of a client, from the environment or from a demo's file. For programs on Node. */
/** Where the exchange is, and as whom to act. */
export interface Settings {
    readonly baseUrl: string;
    readonly publicKey?: string;
    readonly secretKey?: string;
}
/** `BASE_URL`, `PUBLIC_KEY` and `SECRET_KEY`; without them, the demo's file that `DEMO` names. */
export declare function settingsFromEnv(): Settings;
/** A user of `bellwether demo`, counted from 1; the demo writes the file when it has started. */
export declare function settingsFromDemo(file: string, user: number): Settings;
