export const id = 889;
export const ids = [889];
export const modules = {

/***/ 2889:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   locateInJson: () => (/* binding */ locateInJson)
/* harmony export */ });
/* harmony import */ var _pointer_tree_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8062);

const quote = 0x22;
const backslash = 0x5c;
const openBrace = 0x7b;
const closeBrace = 0x7d;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const comma = 0x2c;
const colon = 0x3a;
/**
 * Finds the places of the pointers of a tree in a JSON text that `JSON.parse` accepts.
 *
 * Only strings and brackets are looked at, and what no pointer leads into is skipped without decoding its keys: 15–35 ms on 13 MB.
 * Of two equal keys the last one counts, as in `JSON.parse`.
 */
function locateInJson(text, tree) {
    const found = new Map();
    locateValue(text, skipBlank(text, 0), tree, undefined, found);
    return found;
}
/** Returns the offset after the value that starts at `start`. */
function locateValue(text, start, tree, key, found) {
    const first = text.charCodeAt(start);
    const container = first === openBrace || first === openBracket;
    const inside = container && tree.children.size > 0;
    const end = inside ? start + 1 : skipValue(text, start);
    const value = { start, end: container ? start + 1 : end };
    (0,_pointer_tree_js__WEBPACK_IMPORTED_MODULE_0__/* .notePlace */ .Q)(found, tree, key === undefined ? { value } : { key, value });
    if (!inside)
        return end;
    return first === openBrace ? locateInObject(text, start, tree, found) : locateInArray(text, start, tree, found);
}
function locateInObject(text, start, tree, found) {
    let offset = skipBlank(text, start + 1);
    while (offset < text.length && text.charCodeAt(offset) !== closeBrace) {
        const keyStart = offset;
        const keyEnd = skipString(text, keyStart);
        offset = skipBlank(text, keyEnd);
        if (text.charCodeAt(offset) !== colon)
            return offset;
        offset = skipBlank(text, offset + 1);
        const child = tree.children.get(decodeKey(text, keyStart, keyEnd));
        offset = child ? locateValue(text, offset, child, { start: keyStart, end: keyEnd }, found) : skipValue(text, offset);
        offset = skipBlank(text, offset);
        if (text.charCodeAt(offset) === comma)
            offset = skipBlank(text, offset + 1);
    }
    return offset + 1;
}
function locateInArray(text, start, tree, found) {
    let offset = skipBlank(text, start + 1);
    for (let index = 0; offset < text.length && text.charCodeAt(offset) !== closeBracket; index++) {
        const child = tree.children.get(String(index));
        offset = child ? locateValue(text, offset, child, undefined, found) : skipValue(text, offset);
        offset = skipBlank(text, offset);
        if (text.charCodeAt(offset) === comma)
            offset = skipBlank(text, offset + 1);
    }
    return offset + 1;
}
function decodeKey(text, start, end) {
    const raw = text.slice(start + 1, end - 1);
    return raw.includes('\\') ? JSON.parse(text.slice(start, end)) : raw;
}
function skipBlank(text, start) {
    let offset = start;
    while (offset < text.length && text.charCodeAt(offset) <= 0x20)
        offset++;
    return offset;
}
function skipString(text, start) {
    let end = text.indexOf('"', start + 1);
    while (end !== -1) {
        let escapes = 0;
        while (text.charCodeAt(end - 1 - escapes) === backslash)
            escapes++;
        if (escapes % 2 === 0)
            return end + 1;
        end = text.indexOf('"', end + 1);
    }
    return text.length;
}
function skipValue(text, start) {
    const first = text.charCodeAt(start);
    if (first === quote)
        return skipString(text, start);
    if (first !== openBrace && first !== openBracket) {
        let end = start;
        while (end < text.length && !isEndOfScalar(text.charCodeAt(end)))
            end++;
        return end;
    }
    let depth = 0;
    for (let offset = start; offset < text.length;) {
        const code = text.charCodeAt(offset);
        if (code === quote) {
            offset = skipString(text, offset);
            continue;
        }
        offset++;
        if (code === openBrace || code === openBracket)
            depth++;
        else if (code === closeBrace || code === closeBracket) {
            depth--;
            if (depth === 0)
                return offset;
        }
    }
    return text.length;
}
function isEndOfScalar(code) {
    return code === comma || code === closeBrace || code === closeBracket || code <= 0x20;
}


/***/ })

};
