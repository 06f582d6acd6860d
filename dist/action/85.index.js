export const id = 85;
export const ids = [85];
export const modules = {

/***/ 6085:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   readCommonYaml: () => (/* binding */ readCommonYaml)
/* harmony export */ });
/* harmony import */ var js_yaml_4__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(6650);
/* harmony import */ var _resolve_plain_scalar_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(343);


/**
 * Reads a YAML document as `js-yaml` 4 does, which takes three fifths of the time of version 5, where both read it alike.
 *
 * `undefined` where that is not certain, which may be a fault or only something rare: then version 5 has to decide. Some of what version 4
 * takes is not YAML 1.2 (`"a"#b`), and some means something else to it (`- -` before a `-` further left). What both read was found by comparing
 * them on millions of changed documents; `test/text/read-common-yaml.test.ts` goes on with that.
 */
function readCommonYaml(text, maxDepth) {
    if (mayBeReadOtherwise(text))
        return undefined;
    try {
        const value = (0,js_yaml_4__WEBPACK_IMPORTED_MODULE_0__/* .load */ .Hh)(text, { schema, onWarning: giveUp, listener: watch, maxDepth });
        return typeof value === 'object' && value !== null ? value : undefined;
    }
    catch {
        // A fault is told with its place by version 5, which also finds some that this one has to be no fault.
        return undefined;
    }
}
let resolved;
/** Plain scalars mean what they mean to version 5: version 4 has `1_000` and `0b11` for numbers. */
const schema = new js_yaml_4__WEBPACK_IMPORTED_MODULE_0__/* .Schema */ .Sj({
    implicit: [
        new js_yaml_4__WEBPACK_IMPORTED_MODULE_0__/* .Type */ .ZU('tag:yaml.org,2002:scalar', {
            kind: 'scalar',
            resolve(written) {
                // Mappings that are merged have a limit, which version 5 tells of.
                if (written === '<<')
                    giveUp();
                resolved = (0,_resolve_plain_scalar_js__WEBPACK_IMPORTED_MODULE_1__/* .resolvePlainScalar */ .t)(written);
                return resolved !== written;
            },
            construct: () => resolved,
        }),
    ],
});
function giveUp() {
    throw new Error('read otherwise by version 5');
}
const lineFeed = 0x0a;
const carriageReturn = 0x0d;
const space = 0x20;
const hash = 0x23;
const comma = 0x2c;
const hyphen = 0x2d;
const dot = 0x2e;
const colon = 0x3a;
const question = 0x3f;
const openList = 0x5b;
const closeList = 0x5d;
const openMapping = 0x7b;
const closeMapping = 0x7d;
const isBlank = (code) => code === space || code === lineFeed || code === carriageReturn;
/** Told by the text alone. Finding too much costs time only. */
function mayBeReadOtherwise(text) {
    return (text.includes('\t') ||
        text.includes('\ufeff') ||
        text.startsWith(' ') ||
        text.endsWith(' ') ||
        // Directives, and a marker that has more in its line. More documents than one are no value to version 4.
        /^(?:[ ]*(?:#[^\r\n]*)?[\r\n])*(?:%|---[^\r\n])/.test(text) ||
        // A tag, an anchor, an explicit key, a comment without a blank before it.
        startsNode(text, '!') ||
        startsNode(text, '&') ||
        startsNode(text, '?', (at) => at + 1 === text.length || isBlank(text.charCodeAt(at + 1))) ||
        startsNode(text, '#', (at) => at > 0 && !isBlank(text.charCodeAt(at - 1))));
}
/** Whether the sign stands somewhere where a node can begin. */
function startsNode(text, sign, isMeant = () => true) {
    for (let at = text.indexOf(sign); at !== -1; at = text.indexOf(sign, at + 1)) {
        if (!isMeant(at))
            continue;
        let before = at - 1;
        while (before >= 0 && text.charCodeAt(before) === space)
            before--;
        if (before < 0)
            return true;
        switch (text.charCodeAt(before)) {
            case lineFeed:
            case carriageReturn:
            case colon:
            case hyphen:
            case question:
            case comma:
            case openList:
            case openMapping:
                return true;
        }
    }
    return false;
}
const isBlankText = (value) => typeof value === 'string' && value.trim() === '';
/** Sees each node as it ends, and gives up at those that version 5 reads otherwise. */
function watch(event, { input, position, kind, result }) {
    if (event === 'open')
        return;
    const following = input.charCodeAt(position);
    // A comment without a blank before it, or one that is indented less than the empty lines of an empty block.
    if (following === hash && (!isBlank(input.charCodeAt(position - 1)) || isBlankText(result)))
        giveUp();
    // Maybe the end of a document.
    if (following === dot)
        giveUp();
    if (kind !== 'sequence' && kind !== 'mapping')
        return;
    const last = input.charCodeAt(position - 1);
    const isFlow = last === closeList || last === closeMapping;
    // An empty item before an item further left: version 4 takes that one into the inner list.
    if (kind === 'sequence' && !isFlow && result.includes(null))
        giveUp();
    if (!isFlow)
        return;
    // A list or mapping in the place of a key, of which version 4 makes a text: without a value, or with one, or behind a comment may be one.
    if (kind === 'mapping' && Object.values(result).includes(null))
        giveUp();
    let next = position;
    while (isBlank(input.charCodeAt(next)))
        next++;
    const sign = input.charCodeAt(next);
    if (sign === colon || sign === hash || sign === dot)
        giveUp();
}


/***/ })

};
