package lsp

// The contents of messages, as far as they are used here. The names are those of the protocol.

// Position is a position in a document: a line, and the number of UTF-16 code units before it on
// that line, both from 0.
type Position struct {
	Line      uint32 `json:"line"`
	Character uint32 `json:"character"`
}

// Range is a part of a document, without its end.
type Range struct {
	Start Position `json:"start"`
	End   Position `json:"end"`
}

// Location is a part of a file.
type Location struct {
	URI   string `json:"uri"`
	Range Range  `json:"range"`
}

type textDocument struct {
	URI     string `json:"uri"`
	Version *int32 `json:"version,omitempty"`
}

type didOpenParams struct {
	TextDocument struct {
		textDocument
		Text string `json:"text"`
	} `json:"textDocument"`
}

type didChangeParams struct {
	TextDocument   textDocument `json:"textDocument"`
	ContentChanges []struct {
		Range *Range `json:"range"`
		Text  string `json:"text"`
	} `json:"contentChanges"`
}

type documentParams struct {
	TextDocument textDocument `json:"textDocument"`
}

type positionParams struct {
	documentParams
	Position Position `json:"position"`
}

type initializeResult struct {
	Capabilities struct {
		PositionEncoding           string            `json:"positionEncoding"`
		TextDocumentSync           int               `json:"textDocumentSync"`
		CompletionProvider         completionOptions `json:"completionProvider"`
		HoverProvider              bool              `json:"hoverProvider"`
		DefinitionProvider         bool              `json:"definitionProvider"`
		DocumentFormattingProvider bool              `json:"documentFormattingProvider"`
		DocumentSymbolProvider     bool              `json:"documentSymbolProvider"`
	} `json:"capabilities"`
	ServerInfo struct {
		Name    string `json:"name"`
		Version string `json:"version"`
	} `json:"serverInfo"`
}

type completionOptions struct {
	TriggerCharacters []string `json:"triggerCharacters"`
}

// fullText is the kind of synchronisation in which a client sends the whole changed text.
const fullText = 1

type publishDiagnosticsParams struct {
	URI         string       `json:"uri"`
	Version     *int32       `json:"version,omitempty"`
	Diagnostics []Diagnostic `json:"diagnostics"`
}

// Diagnostic is a mistake, or a possible one.
type Diagnostic struct {
	Range    Range    `json:"range"`
	Severity severity `json:"severity"`
	Source   string   `json:"source"`
	Message  string   `json:"message"`
}

type severity int

const (
	severityError       severity = 1
	severityInformation severity = 3
)

type logMessageParams struct {
	Type    severity `json:"type"`
	Message string   `json:"message"`
}

// TextEdit replaces a part of a document.
type TextEdit struct {
	Range   Range  `json:"range"`
	NewText string `json:"newText"`
}

type markup struct {
	Kind  string `json:"kind"`
	Value string `json:"value"`
}

func markdown(text string) *markup { return &markup{"markdown", text} }

// Hover is the explanation of the word at a position.
type Hover struct {
	Contents markup `json:"contents"`
	Range    Range  `json:"range"`
}

// CompletionItem is a candidate for completion.
type CompletionItem struct {
	Label         string         `json:"label"`
	Kind          completionKind `json:"kind"`
	Detail        string         `json:"detail,omitempty"`
	Documentation *markup        `json:"documentation,omitempty"`
	TextEdit      TextEdit       `json:"textEdit"`
}

type completionKind int

const (
	functionItem completionKind = 3
	fieldItem    completionKind = 5
	variableItem completionKind = 6
	keywordItem  completionKind = 14
	constantItem completionKind = 21
)

// DocumentSymbol is a property.
type DocumentSymbol struct {
	Name           string     `json:"name"`
	Detail         string     `json:"detail,omitempty"`
	Kind           symbolKind `json:"kind"`
	Range          Range      `json:"range"`
	SelectionRange Range      `json:"selectionRange"`
}

type symbolKind int

const propertySymbol symbolKind = 7
