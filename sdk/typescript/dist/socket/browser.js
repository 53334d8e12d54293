/** The `WebSocket` of a browser, or of another runtime that has one. */
import { Disconnected, Inbox } from './inbox.js';
/** A browser's socket cannot be paused, so a reader that is this far behind loses its connection and resumes. */
const WAITING_MAX = 20_000;
/** Connects to a stream. Browsers tell neither the status nor the reason of a refusal. */
export function openBrowserSocket(url, seconds) {
    return new Promise((resolve, reject) => {
        let socket;
        try {
            socket = new WebSocket(url);
        }
        catch (error) {
            return reject(new Disconnected(error.message));
        }
        const inbox = new Inbox();
        const timer = setTimeout(() => socket.close(), seconds * 1000);
        socket.onopen = () => {
            clearTimeout(timer);
            resolve(new BrowserSocket(socket, inbox));
        };
        socket.onmessage = (event) => {
            if (typeof event.data === 'string')
                inbox.push(event.data);
            if (inbox.size <= WAITING_MAX)
                return;
            inbox.finish('the reader is too far behind');
            socket.close();
        };
        socket.onclose = (event) => {
            clearTimeout(timer);
            const reason = `closed with ${event.code} ${event.reason}`.trim();
            inbox.finish(reason);
            // No effect if the connection had been opened.
            reject(new Disconnected(reason));
        };
    });
}
class BrowserSocket {
    #socket;
    #inbox;
    constructor(socket, inbox) {
        this.#socket = socket;
        this.#inbox = inbox;
    }
    send(text) {
        if (this.#socket.readyState !== WebSocket.OPEN)
            throw new Disconnected(this.#inbox.end ?? 'not connected');
        this.#socket.send(text);
    }
    receive(silenceSeconds) {
        return this.#inbox.receive(silenceSeconds);
    }
    close() {
        this.#inbox.finish('the stream was closed');
        this.#socket.close();
    }
}
