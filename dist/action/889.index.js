export const id = 889;
export const ids = [889];
export const modules = {

/***/ 2889:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   locateInJson: () => (/* binding */ locateInJson)
/* harmony export */ });
/* harmony import */ var node_buffer__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(4573);
/* harmony import */ var _pointer_tree_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8062);
/* harmony import */ var _source_file_js__WEBPACK_IMPORTED_MODULE_2__ = __webpack_require__(4498);
/* harmony import */ var _source_lines_js__WEBPACK_IMPORTED_MODULE_3__ = __webpack_require__(7693);




const space = 0x20;
const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
/**
 * Finds the places of the pointers of a tree in a JSON text that `JSON.parse` accepts.
 *
 * Strings, brackets and line ends are all that is looked at, and what no pointer leads into is skipped without decoding its keys: one
 * pass over the bytes of 13 MB takes about 15 ms. Of two equal keys the last one counts, as in `JSON.parse`.
 */
function locateInJson(source, tree) {
    const bytes = (0,_source_file_js__WEBPACK_IMPORTED_MODULE_2__/* .bytesOf */ .$$)(source);
    const found = new Map();
    const scan = { bytes, at: 0, line: 1, lineStart: 0 };
    skipBlank(scan);
    locateValue(scan, tree, undefined, found);
    const lines = new Map();
    for (const { key, value } of found.values()) {
        for (const { line, lineStart } of key ? [key, value] : [value])
            if (line !== undefined)
                lines.set(line, lineStart ?? 0);
    }
    (0,_source_lines_js__WEBPACK_IMPORTED_MODULE_3__/* .noteLines */ .G)(source, lines);
    return (0,node_buffer__WEBPACK_IMPORTED_MODULE_0__.isAscii)(bytes) ? found : toUnits(found, bytes);
}
/** Moves the scan behind the value it stands at. */
function locateValue(scan, tree, key, found) {
    const { at, line, lineStart, bytes } = scan;
    const first = bytes[at];
    const container = first === openBrace || first === openBracket;
    const inside = container && tree.children.size > 0;
    if (!container)
        skipValue(scan);
    const value = { start: at, end: container ? at + 1 : scan.at, lineStart, line };
    (0,_pointer_tree_js__WEBPACK_IMPORTED_MODULE_1__/* .notePlace */ .Q)(found, tree, key === undefined ? { value } : { key, value });
    if (inside) {
        if (first === openBrace)
            locateInObject(scan, tree, found);
        else
            locateInArray(scan, tree, found);
    }
    else if (container && tree.pointer !== '') {
        skipValue(scan);
    }
}
function locateInObject(scan, tree, found) {
    const { bytes } = scan;
    scan.at++;
    skipBlank(scan);
    while (scan.at < bytes.length && bytes[scan.at] !== closeBrace) {
        const { at: start, line, lineStart } = scan;
        const end = skipString(bytes, start);
        const child = tree.children.get(decodeKey(bytes, start, end));
        // The colon and the blanks around it.
        scan.at = end;
        skipBlank(scan);
        scan.at++;
        skipBlank(scan);
        if (child)
            locateValue(scan, child, { start, end, lineStart, line }, found);
        else
            skipValue(scan);
        skipComma(scan);
    }
    scan.at++;
}
function locateInArray(scan, tree, found) {
    const { bytes } = scan;
    scan.at++;
    skipBlank(scan);
    for (let index = 0; scan.at < bytes.length && bytes[scan.at] !== closeBracket; index++) {
        const child = tree.children.get(String(index));
        if (child)
            locateValue(scan, child, undefined, found);
        else
            skipValue(scan);
        skipComma(scan);
    }
    scan.at++;
}
function decodeKey(bytes, start, end) {
    const raw = bytes.toString('latin1', start + 1, end - 1);
    return /[\\\x80-\xff]/.test(raw) ? JSON.parse(bytes.toString('utf8', start, end)) : raw;
}
function skipComma(scan) {
    skipBlank(scan);
    if (scan.bytes[scan.at] !== comma)
        return;
    scan.at++;
    skipBlank(scan);
}
function skipBlank(scan) {
    const { bytes } = scan;
    let at = scan.at;
    for (let code = bytes[at]; code !== undefined && code <= 0x20; code = bytes[at]) {
        at++;
        if (code === lineFeed || (code === carriageReturn && bytes[at] !== lineFeed)) {
            scan.line++;
            scan.lineStart = at;
        }
    }
    scan.at = at;
}
function skipString(bytes, start) {
    for (let at = start + 1; at < bytes.length; at++) {
        const code = bytes[at];
        if (code === quote)
            return at + 1;
        if (code === backslash)
            at++;
    }
    return bytes.length;
}
function skipValue(scan) {
    const { bytes } = scan;
    const first = bytes[scan.at];
    if (first === openBrace || first === openBracket)
        skipContainer(scan);
    else if (first === quote)
        scan.at = skipString(bytes, scan.at);
    else
        while (scan.at < bytes.length && !isEndOfScalar(bytes[scan.at] ?? 0))
            scan.at++;
}
/** The loop that sees most of the bytes: blanks and strings are what there is most of. */
function skipContainer(scan) {
    const { bytes } = scan;
    let { at, line, lineStart } = scan;
    let depth = 0;
    do {
        let code = bytes[at++];
        while (code === space)
            code = bytes[at++];
        if (code === quote) {
            for (code = bytes[at++]; code !== quote && code !== undefined; code = bytes[at++])
                if (code === backslash)
                    at++;
        }
        else if (code === lineFeed || (code === carriageReturn && bytes[at] !== lineFeed)) {
            line++;
            lineStart = at;
        }
        else if (code === openBrace || code === openBracket)
            depth++;
        else if (code === closeBrace || code === closeBracket)
            depth--;
        else if (code === undefined)
            break;
    } while (depth > 0);
    scan.at = at;
    scan.line = line;
    scan.lineStart = lineStart;
}
function isEndOfScalar(code) {
    return code === comma || code === closeBrace || code === closeBracket || code <= 0x20;
}
/** Places in bytes as places in UTF-16 units. */
function toUnits(places, bytes) {
    const ranges = [...places.values()].flatMap(({ key, value }) => (key ? [key, value] : [value]));
    const offsets = new Set();
    for (const { start, end, lineStart } of ranges)
        offsets
            .add(start)
            .add(end)
            .add(lineStart ?? 0);
    const units = new Map();
    let [byte, unit] = [0, 0];
    for (const offset of Float64Array.from(offsets).sort()) {
        const part = bytes.subarray(byte, offset);
        unit += (0,node_buffer__WEBPACK_IMPORTED_MODULE_0__.isAscii)(part) ? part.length : part.toString('utf8').length;
        byte = offset;
        units.set(offset, unit);
    }
    const convert = ({ start, end, line, lineStart = 0 }) => {
        return { start: units.get(start) ?? 0, end: units.get(end) ?? 0, lineStart: units.get(lineStart) ?? 0, line: line ?? 1 };
    };
    const converted = new Map();
    for (const [pointer, { key, value }] of places) {
        converted.set(pointer, key ? { key: convert(key), value: convert(value) } : { value: convert(value) });
    }
    return converted;
}


/***/ })

};
