package reports

// The parts of a SARIF log that antichain has, named as in the standard.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool              sarifTool                `json:"tool"`
	AutomationDetails sarifAutomation          `json:"automationDetails"`
	Invocations       []sarifInvocation        `json:"invocations"`
	BaseIDs           map[string]sarifArtifact `json:"originalUriBaseIds"`
	ColumnKind        string                   `json:"columnKind"`
	Results           []sarifResult            `json:"results"`
}

type sarifTool struct {
	Driver sarifComponent `json:"driver"`
}

type sarifComponent struct {
	Name            string       `json:"name"`
	Organization    string       `json:"organization"`
	Full            sarifMessage `json:"fullDescription"`
	Version         string       `json:"version"`
	SemanticVersion string       `json:"semanticVersion,omitempty"`
	InformationURI  string       `json:"informationUri"`
	Rules           []sarifRule  `json:"rules"`
}

type sarifRule struct {
	ID            string              `json:"id"`
	Short         sarifMessage        `json:"shortDescription"`
	Full          sarifMessage        `json:"fullDescription"`
	Help          sarifMessage        `json:"help"`
	HelpURI       string              `json:"helpUri"`
	Configuration sarifConfiguration  `json:"defaultConfiguration"`
	Properties    map[string][]string `json:"properties"`
}

type sarifConfiguration struct {
	Level string `json:"level"`
}

type sarifAutomation struct {
	ID string `json:"id"`
}

type sarifInvocation struct {
	Successful    bool                `json:"executionSuccessful"`
	Notifications []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string             `json:"level"`
	Message sarifMessage       `json:"message"`
	Rule    sarifRuleReference `json:"associatedRule"`
}

type sarifRuleReference struct {
	ID    string `json:"id"`
	Index int    `json:"index"`
}

type sarifResult struct {
	RuleID       string             `json:"ruleId"`
	RuleIndex    int                `json:"ruleIndex"`
	Level        string             `json:"level"`
	Message      sarifMessage       `json:"message"`
	Locations    []sarifLocation    `json:"locations,omitempty"`
	Related      []sarifLocation    `json:"relatedLocations,omitempty"`
	CodeFlows    []sarifCodeFlow    `json:"codeFlows,omitempty"`
	Fingerprints map[string]string  `json:"partialFingerprints"`
	Suppressions []sarifSuppression `json:"suppressions,omitempty"`
	Properties   map[string]string  `json:"properties"`
}

type sarifMessage struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifLocation struct {
	ID       int            `json:"id,omitempty"`
	Physical *sarifPhysical `json:"physicalLocation,omitempty"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	Message  *sarifMessage  `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitempty"`
}

type sarifArtifact struct {
	URI    string `json:"uri"`
	BaseID string `json:"uriBaseId,omitempty"`
}

type sarifRegion struct {
	StartLine int `json:"startLine"`
}

type sarifLogical struct {
	Name string `json:"fullyQualifiedName"`
	Kind string `json:"kind"`
}

type sarifCodeFlow struct {
	Message sarifMessage      `json:"message"`
	Threads []sarifThreadFlow `json:"threadFlows"`
}

type sarifThreadFlow struct {
	ID        string       `json:"id"`
	Message   sarifMessage `json:"message"`
	Locations []sarifStep  `json:"locations"`
}

type sarifStep struct {
	Location   sarifLocation `json:"location"`
	Order      int           `json:"executionOrder"`
	Importance string        `json:"importance"`
}

type sarifSuppression struct {
	Kind          string `json:"kind"`
	Status        string `json:"status"`
	Justification string `json:"justification"`
}
