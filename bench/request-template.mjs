import { OBJECT, SERIAL } from './objects.mjs';

const DIGITS = SERIAL.length;

/**
 * A request as the bytes of one protocol, made once; each sending copies it and writes its numbers over the
 * placeholders. `frames` are the places where HTTP/2 wants the stream's id.
 */
export class RequestTemplate {
  #bytes;
  #objects;
  #serials;
  #objectPlaces;
  #frames;

  constructor(bytes, { objects = 1, frames = [] } = {}) {
    this.#bytes = bytes;
    this.#objects = objects;
    this.#serials = placesOf(bytes, SERIAL);
    this.#objectPlaces = placesOf(bytes, OBJECT);
    this.#frames = frames;
  }

  stamp(serial, streamId) {
    const bytes = Buffer.from(this.#bytes);
    for (const place of this.#serials) writeDigits(bytes, place, serial);
    for (const place of this.#objectPlaces) writeDigits(bytes, place, serial % this.#objects);
    for (const place of this.#frames) bytes.writeUInt32BE(streamId, place);
    return bytes;
  }
}

function placesOf(bytes, text) {
  const places = [];
  for (let at = bytes.indexOf(text); at >= 0; at = bytes.indexOf(text, at + 1)) places.push(at);
  return places;
}

function writeDigits(bytes, place, number) {
  let rest = number;
  for (let at = place + DIGITS - 1; at >= place; at--) {
    bytes[at] = 48 + (rest % 10);
    rest = Math.floor(rest / 10);
  }
}

/** The number as it stands in paths and bodies. */
export const digits = (number) => String(number).padStart(DIGITS, '0');
