package counter

import (
	"os"
	"strings"
	"sync"
	"testing"
)

func planeOfTest(t *testing.T) *Plane {
	t.Helper()
	file := os.Getenv("KUBECONFIG")
	if file == "" {
		t.Fatal("run these tests by `npm test`, which starts a plane for them")
	}
	plane, err := PlaneFromFile(file)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(plane.Client.CloseIdleConnections)
	return plane
}

func TestCountsFromOne(t *testing.T) {
	counter := Counter{planeOfTest(t), "default", "visits"}
	for want := 1; want <= 3; want++ {
		if got, err := counter.Add(); err != nil || got != want {
			t.Fatalf("got %d, %v; want %d", got, err, want)
		}
	}
}

func TestLosesNothingWhenManyCount(t *testing.T) {
	const programs, times = 8, 5
	counter := Counter{planeOfTest(t), "default", "busy"}
	var all sync.WaitGroup
	for program := 0; program < programs; program++ {
		all.Add(1)
		go func() {
			defer all.Done()
			for time := 0; time < times; time++ {
				if _, err := counter.Add(); err != nil {
					t.Error(err)
				}
			}
		}()
	}
	all.Wait()
	if got, err := counter.Add(); err != nil || got != programs*times+1 {
		t.Fatalf("got %d, %v; want %d", got, err, programs*times+1)
	}
}

func TestSaysWhatThePlaneRefuses(t *testing.T) {
	counter := Counter{planeOfTest(t), "default", "Not_A_Name"}
	if _, err := counter.Add(); err == nil || !strings.Contains(err.Error(), "metadata.name") {
		t.Fatalf("got %v", err)
	}
}
