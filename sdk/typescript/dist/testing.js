/**
 * A sandbox for tests, in Node: an exchange whose clock you move and whose faults you plant. `Sandbox.start()` runs
 * `bellwether sandbox` until you close it.
 */
import { spawn } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from './client.js';
const PATIENCE_MILLIS = 120_000;
const LOG_CHARACTERS = 4_000;
/** A planted fault. */
export class Fault {
    id;
    #sandbox;
    constructor(sandbox, id) {
        this.#sandbox = sandbox;
        this.id = id;
    }
    /** How many requests or messages have matched, and how many of them were hit. */
    async counts() {
        const { faults } = await this.#sandbox.request('GET', '/faults');
        const found = faults.find((fault) => fault.id === this.id);
        if (!found)
            throw new Error(`fault ${this.id} is removed`);
        return { seen: found.seen, fired: found.fired };
    }
    /** Removes the fault. */
    async remove() {
        await this.#sandbox.request('DELETE', `/faults/${this.id}`);
    }
}
/** A sandbox that runs. Its clock stands unless you move it. */
export class Sandbox {
    baseUrl;
    adminUrl;
    sandboxUrl;
    operatorToken;
    #process;
    #folder;
    constructor(addresses, process, folder) {
        this.baseUrl = addresses.baseUrl;
        this.adminUrl = addresses.adminUrl;
        this.sandboxUrl = addresses.sandboxUrl;
        this.operatorToken = addresses.operatorToken;
        this.#process = process;
        this.#folder = folder;
    }
    /** Starts `bellwether sandbox` on free ports, in a folder of its own. */
    static async start(options = {}) {
        const { seed = 1, executable = process.env['BELLWETHER'] || 'bellwether', flags = ['--no-limits'] } = options;
        const folder = mkdtempSync(join(tmpdir(), 'bellwether-sandbox-'));
        const data = join(folder, 'data');
        const words = ['sandbox', '--data', data, '--seed', String(seed)];
        for (const listener of ['--listen', '--admin-listen', '--sandbox-listen'])
            words.push(listener, '127.0.0.1:0');
        const log = openSync(join(folder, 'log'), 'a');
        const child = spawn(executable, [...words, ...flags], { stdio: ['ignore', log, log] });
        closeSync(log);
        let failure;
        child.once('error', (error) => (failure = error.message));
        child.once('exit', (code) => (failure ??= `exit code ${code}`));
        const deadline = Date.now() + PATIENCE_MILLIS;
        for (;;) {
            const addresses = readJson(join(data, 'sandbox-addresses.json'));
            if (addresses)
                return new Sandbox(addresses, child, folder);
            if (failure !== undefined || Date.now() > deadline) {
                child.kill('SIGKILL');
                const said = endOfLog(folder);
                rmSync(folder, { recursive: true, force: true });
                throw new Error(`the sandbox did not start: ${failure ?? 'it takes too long'}\n${said}`);
            }
            await sleep(10);
        }
    }
    /** Stops it, and removes its folder. It is gone afterwards, also if it did not stop well. */
    async close() {
        const { exitCode, signalCode } = this.#process;
        try {
            if (exitCode === null && signalCode === null)
                await this.#stop();
        }
        finally {
            rmSync(this.#folder, { recursive: true, force: true });
        }
    }
    async #stop() {
        const ended = new Promise((resolve) => this.#process.once('exit', resolve));
        let isKilled = false;
        const patience = setTimeout(() => (isKilled = this.#process.kill('SIGKILL')), PATIENCE_MILLIS);
        this.#process.kill('SIGTERM');
        const code = await ended;
        clearTimeout(patience);
        const how = isKilled ? 'did not stop and was killed' : `ended with exit code ${code}`;
        if (code !== 0)
            throw new Error(`the sandbox ${how}\n${endOfLog(this.#folder)}`);
    }
    /** Makes a user with a key and money. */
    async user(tag) {
        return await this.request('POST', '/users', tag === undefined ? {} : { tag });
    }
    /** A client of a user. Without a user, or with a tag, it makes one. */
    async client(user, options = {}) {
        const { publicKey, secretKey } = typeof user === 'object' ? user : await this.user(user);
        return new Client({ baseUrl: this.baseUrl, publicKey, secretKey, ...options });
    }
    /** The clock. */
    async clock() {
        return await this.request('GET', '/clock');
    }
    /** Moves the clock. Everything that is due happens before this resolves. */
    async advance(seconds) {
        return await this.request('POST', '/clock/advance', { millis: Math.round(seconds * 1000) });
    }
    /** Moves the clock to the closing date of an event, given by slug or id. */
    async jumpToClose(event) {
        return await this.request('POST', '/clock/jump', { event });
    }
    /** Lets the clock run: so many seconds of the venue in a second of the machine. Not deterministic. */
    async run(speed) {
        return await this.request('POST', '/clock/run', { speed });
    }
    /** Stops a clock that runs. */
    async freeze() {
        return await this.request('POST', '/clock/stop');
    }
    /** Plants a fault, such as `fault('lost-answer', { method: 'POST', path: '*\/orders' })`. */
    async fault(kind, conditions = {}) {
        const { id } = await this.request('POST', '/faults', { fault: kind, ...conditions });
        return new Fault(this, id);
    }
    /** Lets a counterparty trade with a resting order, completely or by `quantity`. */
    async fill(orderId, quantity) {
        await this.request('POST', '/fill', quantity === undefined ? { orderId } : { orderId, quantity });
    }
    /** Lets a counterparty trade a book to a price. */
    async setPrice(marketId, price) {
        await this.request('POST', '/price', { marketId, price });
    }
    /** Ends an event: the market `winner` as YES, all others as NO. */
    async resolve(event, winner) {
        await this.request('POST', '/resolve', winner === undefined ? { event } : { event, winner });
    }
    /** Adds a virtual trader (maker, noise, informed or toxic), and returns its name. */
    async trader(behaviour, marketId, settings = {}) {
        const { name } = await this.request('POST', '/traders', { behaviour, marketId, ...settings });
        return name;
    }
    /** Takes a snapshot of the whole venue, and returns its name. */
    async snapshot() {
        return (await this.request('POST', '/snapshots', {})).name;
    }
    /** Returns to a snapshot. */
    async returnTo(snapshot) {
        await this.request('POST', `/snapshots/${snapshot}/return`);
    }
    /** Begins again, without faults. */
    async reset() {
        await this.request('POST', '/reset');
    }
    /** Sends a request to the sandbox's own API. */
    async request(method, path, body) {
        const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
        const answer = await fetch(`${this.sandboxUrl}/sandbox/v1${path}`, init);
        const text = await answer.text();
        if (!answer.ok)
            throw new Error(`${method} ${path}: ${answer.status} ${text}`);
        return JSON.parse(text);
    }
}
/** The end of what the process has printed. */
function endOfLog(folder) {
    return readFileSync(join(folder, 'log'), 'utf8').slice(-LOG_CHARACTERS);
}
/** The value of a JSON file that may not be there yet, or not be complete. */
function readJson(file) {
    try {
        return JSON.parse(readFileSync(file, 'utf8'));
    }
    catch {
        return undefined;
    }
}
